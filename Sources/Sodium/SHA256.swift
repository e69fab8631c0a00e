import CSodium

/// SHA-256, whole or in steps.
public struct SHA256: ~Copyable {
    private var state = crypto_hash_sha256_state()

    /// How many bytes a digest has.
    public static let byteCount = 32

    public init() {
        crypto_hash_sha256_init(&state)
    }

    /// Adds bytes to what is digested.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        crypto_hash_sha256_update(&state, start, UInt64(bytes.count))
    }

    /// The digest of all that was added.
    public consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        crypto_hash_sha256_final(&state, &digest)
        return digest
    }

    /// The digest of one piece.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finalize()
    }
}
