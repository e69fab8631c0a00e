import Valise

/// Where an account comes from, as it is named on the command line.
enum MoveSourceArguments {
    /// - Parameter arguments: links, `-` for links on standard input, or one archive; none to resume what was begun.
    /// - Throws: ``CommandError``; `FileError`. No error holds a link: who reads it has the account.
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
                .notFound, "this is neither a link nor an archive that is there; nothing was received",
                subject: argument)
        }
        return true
    }

    private static func link(_ argument: String) throws -> String {
        let text = FileReferences.bare(argument[...])
        guard FileLink.isLink(text) else {
            throw CommandError(
                .invalid,
                "links and archives are not received together; give the links of one account, or one archive")
        }
        return text
    }

    private static func standardInput() throws -> [String] {
        if StandardStreams.inputIsTerminal {
            StandardStreams.printError("Paste the link, then Return and Control-D:")
        }
        return try StandardInput.links()
    }
}
