import CValiseBlake3
package import ValiseFiles

/// BLAKE3 of 256 bits without a key, whole or in steps.
///
/// It is fast in large steps: from 16 KiB on the processor's vector instructions hash several blocks at once.
package struct BLAKE3: ~Copyable {
    /// In words, for their alignment.
    private var state = [UInt64](repeating: 0, count: Int(valise_blake3_state_size) / 8)

    /// How many bytes a digest has.
    package static let byteCount = Int(valise_blake3_digest_size)

    /// - Throws: ``CryptographyError`` with `failed` where libblake3 cannot be loaded.
    package init() throws(CryptographyError) {
        try BLAKE3Library.load()
        reset()
    }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe state.withUnsafeMutableBytes {
            unsafe valise_blake3_update($0.baseAddress, start, bytes.count)
        }
    }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

    /// The digest of all that was added until now. More can be added afterwards.
    package borrowing func digest() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { memory, count in
            unsafe state.withUnsafeBytes { unsafe valise_blake3_digest($0.baseAddress, memory.baseAddress) }
            count = Self.byteCount
        }
    }

    /// The digest of all that was added.
    package consuming func finalize() -> [UInt8] { digest() }

    /// Forgets what was added.
    package mutating func reset() {
        unsafe state.withUnsafeMutableBytes { unsafe valise_blake3_start($0.baseAddress) }
    }
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
