import Valise

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
