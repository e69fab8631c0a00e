import ValiseEncoding
package import ValiseStorage

/// Builds packs of one kind of blobs, one after the other: each blob is compressed and sealed where it will be stored.
package struct PackBuilder: ~Copyable {
    /// A pack is finished when it has so many bytes: a third of what restic chooses, for there is one in memory for each core,
    /// and one more that is written.
    package static let targetSize = 5 << 20
    /// Blobs of one page would make long headers.
    package static let mostBlobs = 10_000
    /// The most that a piece of a file may have.
    package static let largestBlob = 8 << 20
    /// The most that a folder may have: a file of a million pieces has 67 MB of identifiers in it.
    package static let largestTree = 96 << 20

    package let kind: BlobKind
    /// What is in it, in its order.
    package private(set) var blobs: [PackedBlob] = []
    private var bytes: [UInt8] = []

    package init(_ kind: BlobKind) { self.kind = kind }

    package var isEmpty: Bool { blobs.isEmpty }

    /// Without the header, in bytes.
    package var size: Int { bytes.count }

    /// Whether it should be finished.
    package var isFull: Bool { bytes.count >= Self.targetSize || blobs.count >= Self.mostBlobs }

    // MARK: Blobs

    /// Adds a blob, and opens it as a restore would: compression and encryption are verified while the content is there.
    ///
    /// - Parameters:
    ///   - content: 1 to ``largestBlob`` bytes, of a folder to ``largestTree``.
    ///   - id: their SHA-256.
    ///   - compresses: without, data stays as it is, which is for what is encrypted. Trees are compressed always: restic's prune
    ///     would store them again otherwise.
    /// - Returns: where it is.
    /// - Throws: ``RepositoryError``: `invalid` for another size, and where it is full; `damaged` where it does not open to the
    ///   content; `failed`. The pack stays as it was.
    @discardableResult
    package mutating func add(
        _ content: UnsafeRawBufferPointer, id: ContentID, compresses: Bool = true,
        _ codec: inout RepositoryCodec
    ) throws -> PackedBlob {
        guard (1...(kind == .tree ? Self.largestTree : Self.largestBlob)).contains(content.count), !isFull
        else {
            throw RepositoryError(
                .invalid, "a blob of \(Count.text(content.count, "byte")) does not fit into a pack")
        }
        reserve()
        let start = bytes.count
        let isCompressible = codec.version >= 2 && (compresses || kind == .tree)
        let contentSpace = isCompressible ? frameSpace(content.count) : content.count
        bytes.append(
            contentsOf: repeatElement(0, count: max(contentSpace, content.count) + SealingContext.overhead))
        do {
            let (length, isCompressed) = try unsafe bytes.withUnsafeMutableBytes { memory in
                let slot = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...])
                let sealed = try unsafe Self.seal(
                    content, into: slot, isCompressible ? contentSpace : 0, &codec)
                let written = unsafe UnsafeRawBufferPointer(rebasing: slot[..<sealed.length])
                guard try unsafe codec.opens(written, isCompressed: sealed.isCompressed, to: content) else {
                    throw RepositoryError(.damaged, "a blob does not open to its content")
                }
                return sealed
            }
            bytes.removeLast(bytes.count - start - length)
            let blob = PackedBlob(
                kind, id, offset: Int64(start), sealedLength: length,
                contentLength: isCompressed ? content.count : nil)
            blobs.append(blob)
            return blob
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
    }

    /// Adds a blob whose digest is not known yet.
    /// - Throws: as ``add(_:id:compresses:_:)``.
    @discardableResult
    package mutating func add(
        _ content: [UInt8], compresses: Bool = true, _ codec: inout RepositoryCodec
    ) throws -> PackedBlob {
        let id = try ContentID(hashing: content)
        return try unsafe content.withUnsafeBytes {
            try unsafe add($0, id: id, compresses: compresses, &codec)
        }
    }

    /// Space for a whole pack: an array that grows is copied again and again. What is not written takes no memory.
    private mutating func reserve() {
        guard bytes.isEmpty else { return }
        let header = Self.mostBlobs * PackHeader.compressedEntrySize + SealingContext.overhead
        bytes.reserveCapacity(Self.targetSize + ZstdCompressor.bound(Self.largestBlob) + header + 64)
    }

    /// What a frame may have to be worth it: data has to save one byte in a hundred.
    private func frameSpace(_ count: Int) -> Int {
        kind == .tree ? ZstdCompressor.bound(count) : count - (count + 99) / 100
    }

    /// - Parameters:
    ///   - slot: begins where the blob does.
    ///   - frameSpace: 0 for no compression.
    /// - Returns: the sealed length.
    private static func seal(
        _ content: UnsafeRawBufferPointer, into slot: UnsafeMutableRawBufferPointer, _ frameSpace: Int,
        _ codec: inout RepositoryCodec
    ) throws -> (length: Int, isCompressed: Bool) {
        if frameSpace > 0 {
            let head = SealingContext.headSize
            let frame = unsafe UnsafeMutableRawBufferPointer(rebasing: slot[head..<head + frameSpace])
            if let count = try unsafe codec.compressor.compress(content, into: frame) {
                let length = count + SealingContext.overhead
                try unsafe codec.sealing.sealInPlace(UnsafeMutableRawBufferPointer(rebasing: slot[..<length]))
                return (length, true)
            }
        }
        let length = content.count + SealingContext.overhead
        try unsafe codec.sealing.seal(
            content, into: UnsafeMutableRawBufferPointer(rebasing: slot[..<length]))
        return (length, false)
    }

    // MARK: End

    /// Takes the memory of a pack that is stored, for the next one: whoever writes many packs needs memory for one.
    mutating func reuse(_ pack: inout FinishedPack) {
        guard isEmpty else { return }
        // Exchanged, for of memory that two have it would take a copy.
        swap(&bytes, &pack.bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The pack with its header; the builder is empty then, for the next one.
    /// - Throws: ``RepositoryError``: `invalid` where it is empty; `failed`.
    package mutating func finish(_ codec: inout RepositoryCodec) throws -> FinishedPack {
        guard !blobs.isEmpty else { throw RepositoryError(.invalid, "a pack has at least one blob") }
        var entries: [UInt8] = []
        entries.reserveCapacity(blobs.count * PackHeader.compressedEntrySize)
        for blob in blobs { try PackHeader.append(blob, to: &entries) }
        let header = try codec.sealing.seal(entries)
        guard header.count <= PackHeader.largest, let length = UInt32(exactly: header.count) else {
            throw RepositoryError(.invalid, "the pack has too many blobs")
        }
        // Taken out, so that the one array is not copied.
        var content: [UInt8] = []
        swap(&content, &bytes)
        let contained = blobs
        blobs = []
        content.append(contentsOf: header)
        content.append(bigEndian: length.byteSwapped)
        return FinishedPack(
            kind: kind, id: try ContentID(hashing: content), bytes: content, blobs: contained)
    }
}
