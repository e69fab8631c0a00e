import ValiseEncoding
package import ValiseStorage

/// Where a blob is in a pack, and in which form.
package struct PackedBlob: Hashable, Sendable {
    package let kind: BlobKind
    /// The SHA-256 of the content, before compression.
    package let id: ContentID
    /// From the beginning of the pack, in bytes.
    package let offset: Int64
    /// With what sealing adds.
    package let sealedLength: Int
    /// Of the content.
    package let contentLength: Int
    package let isCompressed: Bool

    /// The most that a blob may have. Others write up to 8 MiB, or what their settings say: this is more than any makes sense
    /// of, and less than memory.
    package static let largest = 256 << 20

    /// - Parameter contentLength: nil for one that is not compressed.
    package init(_ kind: BlobKind, _ id: ContentID, offset: Int64, sealedLength: Int, contentLength: Int?) {
        self.kind = kind
        self.id = id
        self.offset = offset
        self.sealedLength = sealedLength
        self.contentLength = contentLength ?? max(0, sealedLength - SealingContext.overhead)
        isCompressed = contentLength != nil
    }

    /// The bytes of the pack that it has.
    package var range: Range<Int64> { offset..<offset + Int64(sealedLength) }

    // MARK: Content

    /// The content, whose tag, length and digest are verified.
    ///
    /// - Parameters:
    ///   - sealed: the bytes of ``range``.
    ///   - pack: named by errors.
    /// - Throws: ``RepositoryError``: `damaged`; `unsupported` for one that is too large for memory.
    package func decode(
        _ sealed: [UInt8], in pack: ContentID, _ codec: inout RepositoryCodec
    ) throws -> [UInt8] {
        try unsafe sealed.withUnsafeBytes { try unsafe decode($0, in: pack, &codec) }
    }

    /// The same for bytes in memory of the caller's.
    package func decode(
        _ sealed: UnsafeRawBufferPointer, in pack: ContentID, _ codec: inout RepositoryCodec
    ) throws -> [UInt8] {
        do {
            let content = try unsafe open(sealed, &codec)
            guard try ContentID(hashing: content) == id else { throw damaged("does not match its digest") }
            return content
        } catch let error as RepositoryError {
            guard error.kind == .damaged else { throw error.naming(.file(.data, pack)) }
            throw RepositoryError(
                .damaged, "blob \(id): \(error.message)", .file(.data, pack), cause: error.cause)
        }
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer, _ codec: inout RepositoryCodec
    ) throws -> [UInt8] {
        guard sealed.count == sealedLength, sealedLength >= SealingContext.overhead else {
            throw damaged("wrong length")
        }
        guard contentLength <= Self.largest, sealedLength <= Self.largest + SealingContext.overhead else {
            throw RepositoryError(
                .unsupported,
                "blob \(id) is too large (\(Count.bytes(Int64(max(contentLength, sealedLength)))))")
        }
        guard !isCompressed else {
            return try unsafe codec.withOpened(sealed) { frame, decompressor in
                try unsafe decompressor.decompress(frame, size: contentLength)
            }
        }
        guard contentLength == sealedLength - SealingContext.overhead else { throw damaged("wrong length") }
        var content = [UInt8](repeating: 0, count: contentLength)
        try unsafe content.withUnsafeMutableBytes { try unsafe codec.sealing.open(sealed, into: $0) }
        return content
    }

    private func damaged(_ what: String) -> RepositoryError { RepositoryError(.damaged, what) }
}
