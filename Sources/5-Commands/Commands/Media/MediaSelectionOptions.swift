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

    @Option(help: ArgumentHelp("Only files of at least this size, such as 1MB or 1MiB.", valueName: "size"))
    var minSize: SizeArgument?

    @Option(help: ArgumentHelp("Only files of at most this size.", valueName: "size"))
    var maxSize: SizeArgument?

    func validate() throws {
        if let since, let before, since.seconds >= before.seconds {
            throw ValidationError("--since must be earlier than --before")
        }
        if let minSize, let maxSize, minSize.bytes > maxSize.bytes {
            throw ValidationError("--min-size must not be greater than --max-size")
        }
    }

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

    init?(argument: String) {
        let age = TimeSpan.decode(argument, in: "hdwy").map { UTCTime.clock() - $0 }
        guard let seconds = UTCTime(argument)?.seconds ?? age else { return nil }
        self.seconds = seconds
    }
}

/// A number of bytes, with or without a unit: `20 GB`, `20gb`, `18.6 GiB`.
struct SizeArgument: ExpressibleByArgument {
    let bytes: Int64

    init?(argument: String) {
        guard let bytes = ByteSize.decode(argument) else { return nil }
        self.bytes = bytes
    }
}
