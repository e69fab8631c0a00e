import CValiseOpenSSL

/// A hash function as SQLCipher uses them: in the key derivation and in the HMAC of a page.
public enum HashAlgorithm: String, Sendable, Codable, CaseIterable {
    /// SHA-1, as in SQLCipher 1 to 3.
    case sha1 = "SHA1"
    /// SHA-256.
    case sha256 = "SHA256"
    /// SHA-512, as in SQLCipher 4.
    case sha512 = "SHA512"

    /// The size of a digest in bytes.
    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// libcrypto's own object, which lives as long as the process.
    var digest: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }
}
