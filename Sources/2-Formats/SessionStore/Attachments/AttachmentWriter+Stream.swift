import ValiseCryptography
package import ValiseFiles
package import ValiseSecrets

extension AttachmentWriter {
    /// Writes ``AttachmentForm/stream``. The same sender and the same content make the same file.
    ///
    /// - Parameters:
    ///   - source: the content, which is read twice.
    ///   - seed: of the sender, 32 bytes.
    ///   - domain: what the file is.
    ///   - take: gets the file in order.
    /// - Returns: the key.
    /// - Throws: errors of the source and of the primitives; whatever `take` throws.
    package static func stream(
        _ source: any ByteSource, seed: SecretSeed, _ domain: Domain, _ take: AttachmentReader.Taking
    ) throws -> SecretSeed {
        let (header, key) = try headerAndKey(source, seed, domain)
        try unsafe ([StreamAttachment.mark] + header).withUnsafeBytes { try unsafe take($0) }
        var stream = try SecretStream(key: key, header: header)
        let padding = AttachmentSizes.stream(source.size).padding
        let total = padding + source.size
        var sealed = [UInt8](repeating: 0, count: StreamAttachment.pieceByteCount + SecretStream.overhead)
        var start: Int64 = 0
        while start < total {
            let end = min(total, start + Int64(StreamAttachment.pieceByteCount))
            let piece = try piece(start..<end, padding, source)
            unsafe sealed.withUnsafeMutableBytes { sealed in
                unsafe piece.withUnsafeBytes {
                    unsafe stream.seal(
                        $0,
                        into: UnsafeMutableRawBufferPointer(
                            rebasing: sealed[..<($0.count + SecretStream.overhead)]),
                        tag: end == total ? .final : .message)
                }
            }
            try unsafe sealed.prefix(piece.count + SecretStream.overhead).withUnsafeBytes {
                try unsafe take($0)
            }
            start = end
        }
        return key
    }

    /// Both are made of the seed and the content, under the domain.
    private static func headerAndKey(
        _ source: any ByteSource, _ seed: SecretSeed, _ domain: Domain
    ) throws -> ([UInt8], SecretSeed) {
        let headerSize = SecretStream.headerByteCount
        var hash = try BLAKE2b(size: headerSize + SecretSeed.byteCount, key: [domain.rawValue])
        hash.update(seed)
        try unsafe SourcePieces.read(source, 0..<source.size) {
            unsafe hash.update(UnsafeRawBufferPointer($0))
        }
        var header = [UInt8](repeating: 0, count: headerSize)
        let digest = try unsafe SecretBytes(capacity: headerSize + SecretSeed.byteCount) { memory in
            unsafe hash.finalize(into: memory)
            return memory.count
        }
        let key = try unsafe digest.withBytes { digest in
            unsafe header.withUnsafeMutableBytes {
                unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: digest[..<headerSize]))
            }
            return try unsafe SecretSeed(
                copying: UnsafeRawBufferPointer(rebasing: digest[headerSize...]))
        }
        return (header, key)
    }

    /// A part of the padded content: zeros, the byte 1, the content.
    private static func piece(
        _ range: Range<Int64>, _ padding: Int64, _ source: any ByteSource
    ) throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: range.count)
        if range.contains(padding - 1) { piece[Int(padding - 1 - range.lowerBound)] = 1 }
        let skipped = Int(min(max(0, padding - range.lowerBound), Int64(range.count)))
        guard skipped < piece.count else { return piece }
        let offset = range.lowerBound + Int64(skipped) - padding
        try unsafe piece.withUnsafeMutableBytes {
            try unsafe source.fill(UnsafeMutableRawBufferPointer(rebasing: $0[skipped...]), at: offset)
        }
        return piece
    }
}
