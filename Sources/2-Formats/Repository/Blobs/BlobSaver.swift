package import ValiseStorage

/// Stores blobs of one kind; for one thread, which has a pack and a codec of its own.
package struct BlobSaver: ~Copyable, Sendable {
    private let writer: RepositoryWriter
    private var codec: RepositoryCodec
    private var builder: PackBuilder

    /// - Throws: ``RepositoryError``; `SecretsError`.
    package init(_ writer: RepositoryWriter, _ kind: BlobKind) throws {
        self.writer = writer
        builder = PackBuilder(kind)
        codec = try writer.repository.makeCodec()
    }

    /// Stores a blob, unless it is stored.
    ///
    /// - Parameters:
    ///   - content: 1 byte to 8 MiB.
    ///   - compresses: false for what is encrypted.
    /// - Returns: its identifier, and whether it was new.
    /// - Throws: ``RepositoryError``; `StorageError`.
    @discardableResult
    package mutating func save(
        _ content: UnsafeRawBufferPointer, compresses: Bool = true
    ) throws -> (id: ContentID, isNew: Bool) {
        let id = try unsafe ContentID(hashing: content)
        return (id, try unsafe save(content, id: id, compresses: compresses))
    }

    /// The same where the digest is known: whoever has several savers hashes before it takes one.
    /// - Returns: whether it was new.
    /// - Throws: as ``save(_:compresses:)``.
    package mutating func save(
        _ content: UnsafeRawBufferPointer, id: ContentID, compresses: Bool
    ) throws -> Bool {
        guard writer.claim(id, builder.kind) else { return false }
        do {
            _ = try unsafe builder.add(content, id: id, compresses: compresses, &codec)
        } catch {
            // Others would count on it.
            writer.unclaim(id, builder.kind)
            throw error
        }
        if builder.isFull { try flush() }
        return true
    }

    /// Stores a blob, unless it is stored.
    /// - Throws: as ``save(_:compresses:)``.
    @discardableResult
    package mutating func save(_ content: [UInt8], compresses: Bool = true) throws -> ContentID {
        try unsafe content.withUnsafeBytes { try unsafe save($0, compresses: compresses).id }
    }

    /// Stores the pack that is begun. What was claimed and is not flushed is missing in the repository.
    /// - Throws: ``RepositoryError``; `StorageError`.
    package mutating func flush() throws {
        guard !builder.isEmpty else { return }
        do {
            var pack = try builder.finish(&codec)
            // Memory that flips bits would put damage into the repository for good.
            try writer.store(pack) { try pack.verify(&codec) }
            builder.reuse(&pack)
        } catch {
            writer.fail(error)
            throw error
        }
    }
}
