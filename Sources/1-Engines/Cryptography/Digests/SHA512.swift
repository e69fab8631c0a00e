import CValiseOpenSSL

/// SHA-512, whole or in steps.
public struct SHA512: ~Copyable, Sendable {
    private var digest = MessageDigest(EVP_sha512(), size: byteCount)

    /// How many bytes a digest has.
    public static let byteCount = 64

    public init() {}

    /// Adds bytes to what is digested.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// The digest of all that was added.
    public consuming func finalize() -> [UInt8] { digest.finalize() }

    /// The digest of one piece.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finalize()
    }
}
