import CValiseOpenSSL
package import ValiseFiles

/// SHA-256, whole or in steps.
package struct SHA256: ~Copyable, Sendable {
    private var digest = unsafe MessageDigest(EVP_sha256(), size: byteCount)

    /// How many bytes a digest has.
    package static let byteCount = 32

    package init() {}

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe digest.update(bytes) }

    /// The digest of all that was added.
    package consuming func finalize() -> [UInt8] { digest.finalize() }

    /// The digest of one piece.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
        return hash.finalize()
    }

    /// The digest of all bytes of a source, read in pieces.
    ///
    /// - Parameters:
    ///   - source: what is hashed.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Throws: errors of the source; whatever `progress` throws.
    package static func hash(
        _ source: any ByteSource, progress: (Int64) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        var done: Int64 = 0
        while done < source.size {
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(min(Int64(buffer.count), source.size - done))])
            try unsafe source.fill(piece, at: done)
            unsafe hash.update(UnsafeRawBufferPointer(piece))
            done += Int64(piece.count)
            try progress(done)
        }
        return hash.finalize()
    }
}
