import ValiseCryptography

/// A SHA-256 that a closure can continue.
final class ExportDigest {
    private var hash: SHA256? = SHA256()

    /// Adds bytes to what is digested.
    func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash?.update(bytes) }

    /// Adds so many zeros.
    func addZeros(_ count: Int64) {
        var left = count
        while left > 0 {
            let piece = [UInt8](repeating: 0, count: Int(min(left, 1 << 16)))
            unsafe piece.withUnsafeBytes { unsafe update($0) }
            left -= Int64(piece.count)
        }
    }

    /// The digest of all that was added, once.
    func finalize() -> [UInt8] { hash.take()?.finalize() ?? [] }
}
