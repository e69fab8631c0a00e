import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseTransfers
import ValiseXFTPWire

/// Links and descriptions, as users name them.
package enum FileReferences {
    /// Names of files have at most so many bytes.
    private static let longestName = 255

    /// - Parameter texts: links, or paths of `.xftp` files.
    /// - Throws: `FileTransferError`, ``OperationError``, `FileError`. No error holds a link: who reads it has the file.
    package static func read(_ texts: [String]) throws -> [FileReference] { try texts.map(reference) }

    /// The same texts for a job: paths are absolute. What is no link is never made a path before it was refused: it may be one
    /// that was mistyped.
    /// - Throws: as ``read(_:)``.
    static func forLater(_ texts: [String]) throws -> [String] {
        try texts.map { text in
            _ = try reference(text)
            return FileLink.isLink(bare(text[...])) ? text : JobPath(FilePath(text)).absolute
        }
    }

    private static func reference(_ argument: String) throws -> FileReference {
        let text = bare(argument[...])
        if FileLink.isLink(text) { return try FileReference(link: text) }
        if text.isEmpty {
            throw OperationError(.invalid, "empty argument: expected a link, a .xftp file or -")
        }
        let path = FilePath(argument)
        try checkIsNoLink(text, path)
        try checkIsNoFolder(path)
        return try FileReference(file: path)
    }

    /// A link that was mistyped is not the name of a file, and is not printed as one.
    static func checkIsNoLink(_ text: String, _ path: FilePath) throws {
        guard text.contains(":/") || text.contains("desc=") || text.utf8.count > longestName,
            (try? FileSystem().exists(path)) != true
        else { return }
        throw OperationError(
            .invalid,
            "neither a link nor an existing file; links begin with simplex:/file or https://",
            subject: scheme(text).map { "\($0):…" })
    }

    /// A folder that sending made has descriptions in it.
    private static func checkIsNoFolder(_ path: FilePath) throws {
        let description = path.appending("rcv1.xftp")
        guard try FileSystem().isDirectory(path), try FileSystem().exists(description) else { return }
        throw OperationError(
            .unsupported, "is a folder, not a file. The description in it is \(description)",
            subject: path.string)
    }

    /// What may be shown of a text that may be a link.
    private static func scheme(_ text: String) -> Substring? {
        guard let colon = text.prefix(12).firstIndex(of: ":") else { return nil }
        return text[..<colon]
    }

    /// Without what comes along when a link is copied.
    package static func bare(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace || last == ">" { text.removeLast() }
        return String(text.drop { $0.isWhitespace || $0 == "<" })
    }
}
