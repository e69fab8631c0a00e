import COpenSSL

/// Random bytes for salts and initialization vectors.
enum Randomness {
    static func fill(_ memory: UnsafeMutableRawBufferPointer) throws(PageCipherError) {
        let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let count = Int32(exactly: memory.count), RAND_bytes(start, count) == 1 else {
            throw .library("make random bytes")
        }
    }

    static func bytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0) }
        return bytes
    }
}
