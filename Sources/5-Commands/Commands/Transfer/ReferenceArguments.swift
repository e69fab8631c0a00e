import Valise

/// Links and descriptions, as they are named on the command line.
enum ReferenceArguments {
    /// The links and paths that are meant: `-` stands for links on standard input, one on a line.
    /// - Throws: ``CommandError``; `FileTransferError`. No error holds a link: who reads it has the file.
    static func texts(_ arguments: [String]) throws -> [String] {
        try arguments.flatMap { try $0 == "-" ? standardInput() : [$0] }
    }

    private static func standardInput() throws -> [String] {
        let links = try StandardInput.links()
        for link in links { _ = try FileReference(link: link) }
        return links
    }
}
