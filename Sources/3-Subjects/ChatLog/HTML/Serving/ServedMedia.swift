import ValiseChatSchema
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// A file that is lent to a browser in pieces, decrypted in memory.
package final class ServedMedia: Sendable {
    /// What it is saved as.
    package let name: String
    private let source: any ByteSource

    init(_ name: String, _ source: any ByteSource) {
        self.name = name
        self.source = source
    }

    /// In bytes.
    package var size: Int64 { source.size }
    /// The media type; nil for a file that can only be saved: nothing else is safe to show.
    package var type: String? { PageMedia.type(ofFile: name) }

    /// Verifies it, where it has a tag and was not verified yet.
    /// - Parameter checkpoint: called between pieces; throw to stop.
    /// - Throws: `CryptoFileError`: `damaged`; errors of the source.
    package func verify(checkpoint: () throws -> Void) throws {
        try (source as? CryptoFileContent)?.verify { _ in try checkpoint() }
    }

    /// A piece of the content.
    /// - Throws: as ``verify(checkpoint:)``; `FileError` where the content ends before.
    package func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        let bytes = try source.bytes(at: offset, upTo: count)
        guard bytes.count == count else {
            throw FileError(.failed, "file shrank while being read", source.path)
        }
        return bytes
    }
}

/// Where pages that are served have the files of items from.
package protocol ServedFiles {
    /// What a page shows of a file; nil where nothing is known of it.
    func reference(to file: ItemFile) throws -> PageMedia?

    /// The content of a file.
    /// - Parameter path: as a reference had it, by names.
    /// - Returns: nil where there is none.
    func content(at path: [String]) throws -> ServedMedia?
}
