import Valise

/// The source of an account, parsed from arguments.
enum MoveSourceArguments {
    /// - Parameter arguments: links, `-` for links on standard input, or one archive; none to resume a run.
    /// - Throws: ``CommandError``; `FileError`. No error contains a link: anyone with it has the account.
    static func source(_ arguments: [String]) throws -> MoveSource? {
        guard let first = arguments.first else { return nil }
        if arguments.count == 1, try isFile(first) { return .archive(FilePath(first)) }
        let links = try arguments.flatMap { try $0 == "-" ? standardInput() : [link($0)] }
        return .links(links)
    }

    private static func isFile(_ argument: String) throws -> Bool {
        let text = FileReferences.bare(argument[...])
        guard argument != "-", !text.isEmpty, !FileLink.isLink(text) else { return false }
        try FileReferences.checkIsNoLink(text, FilePath(argument))
        guard try FileSystem().exists(FilePath(argument)) else {
            throw CommandError(
                .notFound, "neither a link nor an existing archive. Nothing was received.", subject: argument)
        }
        return true
    }

    private static func link(_ argument: String) throws -> String {
        let text = FileReferences.bare(argument[...])
        guard FileLink.isLink(text) else {
            throw CommandError(
                .invalid, "cannot mix links and archives. Give the links of one account, or one archive.")
        }
        return text
    }

    private static func standardInput() throws -> [String] {
        if StandardStreams.inputIsTerminal {
            StandardStreams.printError("Paste the link, then press Return and Control-D:")
        }
        return try StandardInput.links()
    }
}
