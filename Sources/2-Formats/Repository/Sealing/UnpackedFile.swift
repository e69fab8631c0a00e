import ValiseCryptography
import ValiseEncoding
package import ValiseStorage

/// Files that hold one JSON document each: indexes, snapshots, locks (section 4 of the fact sheet).
///
/// Sealed is the document itself in repositories of version 1, and in those of version 2 a byte 2 and its zstd frame. Bare
/// documents are read in both.
package enum UnpackedFile {
    private static let compressed: UInt8 = 2
    /// What a document begins with.
    private static let brackets = [UInt8(ascii: "{"), UInt8(ascii: "[")]
    /// The most that a document may have. An index of 50,000 blobs, the most that restic writes, has 10 MB.
    package static let largest = 256 << 20

    /// The form in which a document is stored.
    /// - Returns: its digest, which becomes its name, and the bytes.
    /// - Throws: ``RepositoryError``: `failed`.
    package static func encode(
        _ json: [UInt8], _ codec: inout RepositoryCodec
    ) throws -> (id: ContentID, bytes: [UInt8]) {
        let plain = codec.version < 2 || json.isEmpty ? json : try compress(json, &codec)
        let bytes = try codec.sealing.seal(plain)
        return (try ContentID(hashing: bytes), bytes)
    }

    private static func compress(_ json: [UInt8], _ codec: inout RepositoryCodec) throws -> [UInt8] {
        var plain = [UInt8](repeating: 0, count: 1 + ZstdCompressor.bound(json.count))
        plain[0] = compressed
        let count = try unsafe plain.withUnsafeMutableBytes { memory in
            try unsafe json.withUnsafeBytes {
                try unsafe codec.compressor.compress(
                    $0, into: UnsafeMutableRawBufferPointer(rebasing: memory[1...]))
            }
        }
        guard let count else { throw RepositoryError.library("compress") }
        plain.removeLast(plain.count - 1 - count)
        return plain
    }

    /// The document of a stored file.
    ///
    /// - Parameters:
    ///   - stored: the bytes of the file.
    ///   - name: is compared with their digest.
    ///   - limit: the most that the document may have.
    /// - Returns: the JSON; empty where the file has nothing sealed, as files of programs that were killed may.
    /// - Throws: ``RepositoryError``: `damaged`, `unsupported`.
    package static func decode(
        _ stored: consuming [UInt8], name: StoredName, _ codec: inout RepositoryCodec, limit: Int = largest
    ) throws -> [UInt8] {
        // Opened where it is.
        var sealed = stored
        do {
            if case .file(_, let id) = name, try ContentID(hashing: sealed) != id {
                throw RepositoryError(.damaged, "the content does not match its name")
            }
            return try unsafe sealed.withUnsafeMutableBytes { memory in
                let plain = try unsafe codec.sealing.openInPlace(memory)
                return try unsafe document(
                    UnsafeRawBufferPointer(plain), codec.version, limit, &codec.decompressor)
            }
        } catch let error as RepositoryError {
            throw error.naming(name)
        }
    }

    private static func document(
        _ plain: UnsafeRawBufferPointer, _ version: Int, _ limit: Int,
        _ decompressor: inout ZstdDecompressor
    ) throws(RepositoryError) -> [UInt8] {
        guard let first = unsafe plain.first else { return [] }
        if brackets.contains(first) {
            guard plain.count <= limit else {
                throw RepositoryError(
                    .damaged, "the content has more than the expected \(Count.bytes(Int64(limit)))")
            }
            return unsafe Array(plain)
        }
        guard version >= 2, first == compressed else {
            throw RepositoryError(.unsupported, "unknown form of content (\(first))")
        }
        return try unsafe decompressor.decompress(
            UnsafeRawBufferPointer(rebasing: plain[1...]), limit: limit)
    }
}

extension ContentID {
    /// The SHA-256 of bytes.
    /// - Throws: ``RepositoryError``: `failed`.
    package init(hashing bytes: UnsafeRawBufferPointer) throws(RepositoryError) {
        var hash = SHA256()
        unsafe hash.update(bytes)
        guard let id = ContentID(hash.finalize()) else { throw .library("hash") }
        self = id
    }

    /// The SHA-256 of bytes.
    /// - Throws: ``RepositoryError``: `failed`.
    package init(hashing bytes: [UInt8]) throws(RepositoryError) {
        guard let id = ContentID(SHA256.hash(bytes)) else { throw .library("hash") }
        self = id
    }
}
