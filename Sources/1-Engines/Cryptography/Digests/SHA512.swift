import CValiseOpenSSL

/// SHA-512, whole or in steps.
package struct SHA512: ~Copyable, Sendable {
    private var digest = unsafe MessageDigest(EVP_sha512(), size: byteCount)

    /// How many bytes a digest has.
    package static let byteCount = 64

    package init() {}

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe digest.update(bytes) }

    /// The digest of all that was added.
    package consuming func finalize() -> [UInt8] { digest.finalize() }

    /// The digest of one piece.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
        return hash.finalize()
    }
}
