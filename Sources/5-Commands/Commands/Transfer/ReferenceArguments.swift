import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// A link or a description, as it is named on the command line.
enum ReferenceArguments {
    private static let longestLink = 1 << 20

    /// Names of files have at most so many bytes.
    private static let longestName = 255

    /// Reads references: links, `.xftp` files, or `-` for links on standard input, one on a line.
    /// - Throws: `FileTransferError`, ``CommandError``, `FileError`. No error holds a link: who reads it has the file.
    static func read(_ arguments: [String]) throws -> [FileReference] {
        try arguments.flatMap { try $0 == "-" ? standardInput() : [reference($0)] }
    }

    /// The same arguments for a job: links of standard input are read, and paths absolute. What is no link is never made a
    /// path before it was refused: it may be one that was mistyped.
    /// - Throws: as ``read(_:)``.
    static func forLater(_ arguments: [String]) throws -> [String] {
        try arguments.flatMap { argument in
            if argument == "-" {
                let links = try standardInputLinks()
                for link in links { _ = try FileReference(link: link) }
                return links
            }
            _ = try reference(argument)
            return FileLink.isLink(bare(argument[...])) ? [argument] : [JobPath(FilePath(argument)).absolute]
        }
    }

    private static func standardInput() throws -> [FileReference] {
        try standardInputLinks().map { try FileReference(link: $0) }
    }

    private static func standardInputLinks() throws -> [String] {
        let links = try StandardInput.text(limit: longestLink).split(whereSeparator: \.isWhitespace)
        guard !links.isEmpty else {
            throw CommandError(.invalid, "standard input is empty; a link was expected there")
        }
        return links.map { bare($0) }
    }

    private static func reference(_ argument: String) throws -> FileReference {
        let text = bare(argument[...])
        if FileLink.isLink(text) { return try FileReference(link: text) }
        if text.isEmpty {
            throw CommandError(.invalid, "this argument is empty; give a link, a .xftp file, or -")
        }
        let path = FilePath(argument)
        try checkIsNoLink(text, path)
        return try FileReference(file: path)
    }

    /// A link that was mistyped is not the name of a file, and is not printed as one.
    static func checkIsNoLink(_ text: String, _ path: FilePath) throws {
        guard text.contains(":/") || text.contains("desc=") || text.utf8.count > longestName,
            (try? FileSystem().exists(path)) != true
        else { return }
        throw CommandError(
            .invalid,
            "this is no link, nor is a file of this name there; a link begins with simplex:/file or https://",
            subject: scheme(text).map { "\($0):…" })
    }

    /// What may be shown of a text that may be a link.
    private static func scheme(_ text: String) -> Substring? {
        guard let colon = text.prefix(12).firstIndex(of: ":") else { return nil }
        return text[..<colon]
    }

    /// Without what comes along when a link is copied.
    static func bare(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace || last == ">" { text.removeLast() }
        return String(text.drop { $0.isWhitespace || $0 == "<" })
    }
}
