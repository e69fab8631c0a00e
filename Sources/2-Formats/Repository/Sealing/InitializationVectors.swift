import CValiseSodium

/// Random initialization vectors, drawn many at once: one call of the system for each would take as long as a page's cipher.
struct InitializationVectors: Sendable {
    /// In bytes.
    static let size = 16
    private static let batch = 256

    private var bytes = [UInt8](repeating: 0, count: batch * size)
    private var next = batch * size

    /// Writes one that was not used before and has a bit set: other programs refuse one of zeros.
    mutating func take(into vector: UnsafeMutableRawBufferPointer) {
        repeat {
            if next == bytes.count {
                unsafe bytes.withUnsafeMutableBytes { unsafe randombytes_buf($0.baseAddress!, $0.count) }
                next = 0
            }
            unsafe vector.copyBytes(from: bytes[next..<next + Self.size])
            next += Self.size
        } while unsafe Self.isEmpty(UnsafeRawBufferPointer(vector))
    }

    /// Whether it has only zeros.
    static func isEmpty(_ vector: UnsafeRawBufferPointer) -> Bool {
        unsafe vector.allSatisfy { $0 == 0 }
    }
}
