import ArgumentParser
import Valise
import ValiseEncoding

/// Which files an export of chats has.
struct ChatMediaOptions: ParsableArguments {
    /// What becomes of files.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case copy, link, none
    }

    @Option(
        help: ArgumentHelp(
            """
            copy: decrypted copies, each content once (default). link: unencrypted files stay in the account's folder; \
            others are copied. none: no files.
            """, valueName: "how"))
    var media: Form?

    @Flag(help: "Do not copy files. The same as --media none.")
    var noMedia = false

    @Option(
        help: ArgumentHelp(
            "Only files of these kinds, separated by commas. Repeatable.", valueName: "kinds"))
    var mediaKinds: [CommaList<MediaKind>] = []

    @Option(help: ArgumentHelp("Only files of at most this size, such as 1MB or 1MiB.", valueName: "size"))
    var mediaLimit: SizeArgument?

    func validate() throws {
        guard noMedia || media == Form.none else { return }
        guard !noMedia || media == nil || media == Form.none else {
            throw ValidationError("--no-media and --media exclude each other")
        }
        guard mediaKinds.isEmpty, mediaLimit == nil else {
            throw ValidationError("--media-kinds and --media-limit select files, but no files are exported")
        }
    }

    /// Nil for no files.
    var choice: MediaChoice? {
        guard !noMedia, media != Form.none else { return nil }
        var choice = MediaChoice()
        choice.links = media == .link
        choice.kinds = Set(mediaKinds.flatMap(\.elements))
        choice.largest = mediaLimit?.bytes
        return choice
    }
}

/// Several words with commas between them.
struct CommaList<Element: RawRepresentable & CaseIterable & Sendable>: ExpressibleByArgument, Sendable
where Element.RawValue == String {
    let elements: [Element]

    /// For messages, and for shells that complete a word.
    static var allValueStrings: [String] { Element.allCases.map(\.rawValue) }

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        elements = words.compactMap { Element(rawValue: String($0)) }
        guard !elements.isEmpty, elements.count == words.count else { return nil }
    }
}
