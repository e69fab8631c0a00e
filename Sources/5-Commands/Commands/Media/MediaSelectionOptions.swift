import ArgumentParser
import Valise
import ValiseEncoding

/// Selects some of an account's files.
struct MediaSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only files of this chat: @name for a contact, #name for a group, * for the notes. Repeatable.",
            valueName: "name"))
    var chat: [String] = []

    @Option(help: ArgumentHelp("Only files of this kind: image, video, voice, file. Repeatable."))
    var type: [MediaKind] = []

    @Option(help: ArgumentHelp("Only files since this time: 2026-01-31, or 30d for the last 30 days."))
    var since: MomentArgument?

    @Option(help: ArgumentHelp("Only files before this time.", valueName: "time"))
    var before: MomentArgument?

    @Option(help: ArgumentHelp("Only files of at least this size, such as 1mb.", valueName: "size"))
    var minSize: SizeArgument?

    @Option(help: ArgumentHelp("Only files of at most this size.", valueName: "size"))
    var maxSize: SizeArgument?

    var selection: MediaSelection {
        var selection = MediaSelection()
        selection.chats = chat
        selection.kinds = Set(type)
        selection.since = since?.seconds
        selection.before = before?.seconds
        selection.smallest = minSize?.bytes
        selection.largest = maxSize?.bytes
        return selection
    }
}

/// A date with or without a time of day, in UTC where it has no zone; or an age such as `12h`, `30d`, `8w`, `1y`.
struct MomentArgument: ExpressibleByArgument {
    /// Since 1970.
    let seconds: Int64

    private static let units: [Character: Int64] = [
        "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400,
    ]

    init?(argument: String) {
        if let time = UTCTime(argument) {
            seconds = time.seconds
        } else if let unit = argument.last.flatMap({ Self.units[$0] }),
            let count = Int64(argument.dropLast()), (0...1_000_000).contains(count)
        {
            seconds = UTCTime.clock() - count * unit
        } else {
            return nil
        }
    }
}

/// A number of bytes, with a unit of 1024 bytes (`kb`), its square (`mb`) or its cube (`gb`).
struct SizeArgument: ExpressibleByArgument {
    let bytes: Int64

    private static let units: [(suffix: String, factor: Int64)] = [
        ("kb", 1 << 10), ("mb", 1 << 20), ("gb", 1 << 30), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30),
    ]

    init?(argument: String) {
        let text = argument.lowercased()
        let unit = Self.units.first { text.hasSuffix($0.suffix) }
        guard let number = Int64(text.dropLast(unit?.suffix.count ?? 0)), number >= 0 else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.factor ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }
}
