import Valise
import ValiseTerminal

/// Links and descriptions named on the command line.
enum ReferenceArguments {
    /// The links and paths; `-` stands for links on standard input, one per line.
    /// - Throws: ``CommandError``; `FileTransferError`. No error contains a link: anyone with it can read the file.
    static func texts(_ arguments: [String]) throws -> [String] {
        try arguments.flatMap { try $0 == "-" ? standardInput() : [$0] }
    }

    private static func standardInput() throws -> [String] {
        let links = try StandardInput.links()
        for link in links { _ = try FileReference(link: link) }
        return links
    }
}

extension StandardInput {
    /// Links, one on a line.
    /// - Throws: as `text(limit:)`; ``CommandError`` for none.
    static func links() throws -> [String] {
        if StandardStreams.inputIsTerminal {
            StandardStreams.printError("Paste the link, then press Return and Control-D:")
        }
        let links = try text(limit: 1 << 20).split(whereSeparator: \.isWhitespace)
        guard !links.isEmpty else {
            throw CommandError(.invalid, "standard input is empty, but a link is expected")
        }
        return links.map { FileReferences.bare($0) }
    }
}
