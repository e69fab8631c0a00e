import ValiseDatabase

/// How a database is encrypted, as SQLCipher tells it once the passphrase opened it.
public struct CipherParameters: Sendable, Equatable, Codable {
    /// In bytes.
    public let pageSize: Int64
    /// Iterations of the key derivation.
    public let kdfIterations: Int64
    /// Such as `PBKDF2_HMAC_SHA512`.
    public let kdfAlgorithm: String
    /// Such as `HMAC_SHA512`.
    public let hmacAlgorithm: String
    /// Whether each page carries its HMAC.
    public let usesHMAC: Bool
    /// Such as `aes-256-cbc`.
    public let cipher: String

    /// Whether these are SQLCipher 4's defaults, the only ones that the official programs open.
    public var isDefault: Bool {
        pageSize == 4096 && kdfIterations == 256_000 && usesHMAC
            && kdfAlgorithm == "PBKDF2_HMAC_SHA512" && hmacAlgorithm == "HMAC_SHA512"
    }

    init(_ connection: borrowing Connection) throws(DatabaseError) {
        func text(_ pragma: String) throws(DatabaseError) -> String {
            switch try connection.value("PRAGMA \(pragma)") {
            case .text(let text): text
            case .integer(let number): String(number)
            default: ""
            }
        }
        pageSize = Int64(try text("cipher_page_size")) ?? 0
        kdfIterations = Int64(try text("kdf_iter")) ?? 0
        kdfAlgorithm = try text("cipher_kdf_algorithm")
        hmacAlgorithm = try text("cipher_hmac_algorithm")
        usesHMAC = try text("cipher_use_hmac") == "1"
        cipher = try text("cipher_provider") == "" ? "" : "aes-256-cbc"
    }
}
