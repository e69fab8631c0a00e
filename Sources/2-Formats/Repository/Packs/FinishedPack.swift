package import ValiseStorage

/// A pack that can be stored.
package struct FinishedPack: Sendable {
    package let kind: BlobKind
    /// The digest of the bytes.
    package let id: ContentID
    package internal(set) var bytes: [UInt8]
    /// What is in it, in its order.
    package let blobs: [PackedBlob]

    package init(kind: BlobKind, id: ContentID, bytes: [UInt8], blobs: [PackedBlob]) {
        self.kind = kind
        self.id = id
        self.bytes = bytes
        self.blobs = blobs
    }

    /// The name under which it is stored.
    package var name: StoredName { .file(.data, id) }

    /// Whether all of it is what was sealed: that this opens to the content was verified when it was added. What bad memory or a
    /// defect spoiled is found while the source still exists.
    /// - Throws: ``RepositoryError``: `damaged`.
    package func verify(_ codec: inout RepositoryCodec) throws {
        guard try PackHeader.read(id, bytes, &codec) == blobs else {
            throw RepositoryError(.damaged, "the header does not match the blobs", name)
        }
        try unsafe bytes.withUnsafeBytes { memory in
            for blob in blobs {
                let sealed = unsafe UnsafeRawBufferPointer(
                    rebasing: memory[Int(blob.offset)..<Int(blob.offset) + blob.sealedLength])
                guard try unsafe codec.sealing.isAuthentic(sealed) else {
                    throw RepositoryError(.damaged, "blob \(blob.id) was changed", name)
                }
            }
        }
    }
}
