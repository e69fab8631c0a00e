import SystemPackage
import ValiseDatabase
import ValiseFailures

/// How a database is encrypted, as SQLCipher tells it once the passphrase opened it.
package struct CipherParameters: Sendable, Equatable, Codable {
    /// In bytes.
    package let pageSize: Int64
    /// Iterations of the key derivation.
    package let kdfIterations: Int64
    /// Such as `PBKDF2_HMAC_SHA512`.
    package let kdfAlgorithm: String
    /// Such as `HMAC_SHA512`.
    package let hmacAlgorithm: String
    /// Whether each page carries its HMAC.
    package let usesHMAC: Bool
    /// Such as `aes-256-cbc`.
    package let cipher: String

    private enum CodingKeys: String, CodingKey {
        case pageSize, kdfIterations, kdfAlgorithm, hmacAlgorithm, cipher
        case usesHMAC = "usesHmac"
    }

    /// Whether these are SQLCipher 4's defaults, the only ones that the official programs open.
    package var isDefault: Bool {
        pageSize == 4096 && kdfIterations == 256_000 && usesHMAC
            && kdfAlgorithm == "PBKDF2_HMAC_SHA512" && hmacAlgorithm == "HMAC_SHA512"
    }

    init(_ connection: borrowing Connection) throws(DatabaseError) {
        pageSize = try Self.number(.pageSize, connection)
        kdfIterations = try Self.number(.kdfIterations, connection)
        kdfAlgorithm = try Self.text(.kdfAlgorithm, connection)
        hmacAlgorithm = try Self.text(.hmacAlgorithm, connection)
        usesHMAC = try Self.text(.usesHMAC, connection) == "1"
        cipher = try Self.text(.provider, connection).isEmpty ? "" : "aes-256-cbc"
    }

    private static func text(
        _ setting: CipherSetting, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String {
        guard let text = try connection.cipherSetting(setting) else {
            throw DatabaseError(
                .failed, "SQLCipher does not report \(setting.rawValue)", file: connection.path.string)
        }
        return text
    }

    private static func number(
        _ setting: CipherSetting, _ connection: borrowing Connection
    ) throws(DatabaseError) -> Int64 {
        guard let number = Int64(try text(setting, connection)) else {
            throw DatabaseError(
                .failed, "SQLCipher does not report \(setting.rawValue)", file: connection.path.string)
        }
        return number
    }
}
