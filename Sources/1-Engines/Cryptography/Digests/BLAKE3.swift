import CValiseBlake3
package import ValiseFiles

/// BLAKE3 of 256 bits without a key, whole or in steps.
///
/// It is fast in large steps: from 16 KiB on the processor's vector instructions hash several blocks at once.
@safe package struct BLAKE3: ~Copyable, @unchecked Sendable {
    // Unchecked: whoever has it is the only owner, as it cannot be copied, and the state is nobody else's.
    private let state: OpaquePointer

    /// How many bytes a digest has.
    package static let byteCount = Int(valise_blake3_digest_size)

    /// - Throws: ``CryptographyError`` with `failed` where libblake3 cannot be loaded.
    package init() throws(CryptographyError) {
        try BLAKE3Library.load()
        guard let state = unsafe valise_blake3_new() else {
            // Without memory for two thousand bytes nothing else would work either.
            preconditionFailure("no memory for a digest")
        }
        unsafe self.state = unsafe state
    }

    deinit { unsafe valise_blake3_free(state) }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe valise_blake3_update(state, start, bytes.count)
    }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

    /// The digest of all that was added until now. More can be added afterwards.
    package borrowing func digest() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { memory, count in
            if let start = memory.baseAddress { unsafe valise_blake3_digest(state, start) }
            count = Self.byteCount
        }
    }

    /// The digest of all that was added.
    package consuming func finalize() -> [UInt8] { digest() }

    /// Forgets what was added.
    package mutating func reset() { unsafe valise_blake3_reset(state) }
}

extension BLAKE3 {
    /// The digest of one piece.
    /// - Throws: ``CryptographyError`` with `failed` where libblake3 cannot be loaded.
    package static func hash(_ bytes: UnsafeRawBufferPointer) throws(CryptographyError) -> [UInt8] {
        var hash = try BLAKE3()
        unsafe hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of one piece.
    /// - Throws: ``CryptographyError`` with `failed` where libblake3 cannot be loaded.
    package static func hash(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var hash = try BLAKE3()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of all bytes of a source, read in pieces of 1 MiB.
    ///
    /// - Parameters:
    ///   - source: what is hashed.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Throws: ``CryptographyError``; errors of the source; whatever `progress` throws.
    package static func hash(
        _ source: any ByteSource, progress: (Int64) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var hash = try BLAKE3()
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
