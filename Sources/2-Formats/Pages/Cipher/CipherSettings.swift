import ValiseEncoding
import ValiseSecrets

/// How a database is encrypted: everything about SQLCipher's file format that the file itself does not say.
///
/// The format is described in Documentation/formats/cipher.md. The cipher is AES-256 in CBC mode always.
package struct CipherSettings: Sendable, Equatable, Hashable, Codable {
    /// In bytes; a power of two from 1024 to 65536: with 512 SQLCipher leaves SQLite too little space.
    package var pageSize: Int
    /// The hash function of PBKDF2.
    package var kdfAlgorithm: HashAlgorithm
    /// Iterations of PBKDF2.
    package var kdfIterations: Int
    /// The hash function of each page's HMAC; nil where pages carry none.
    package var hmacAlgorithm: HashAlgorithm?
    /// How many bytes at the start of the first page are left unencrypted. With more than none the salt is not
    /// in the file.
    package var plaintextHeaderSize: Int

    package init(
        pageSize: Int, kdfAlgorithm: HashAlgorithm, kdfIterations: Int, hmacAlgorithm: HashAlgorithm?,
        plaintextHeaderSize: Int = 0
    ) {
        self.pageSize = pageSize
        self.kdfAlgorithm = kdfAlgorithm
        self.kdfIterations = kdfIterations
        self.hmacAlgorithm = hmacAlgorithm
        self.plaintextHeaderSize = plaintextHeaderSize
    }

    /// SQLCipher 4's defaults, the only settings that the official programs open.
    package static let format4 = CipherSettings(
        pageSize: 4096, kdfAlgorithm: .sha512, kdfIterations: 256_000, hmacAlgorithm: .sha512)
    /// SQLCipher 3's defaults.
    package static let format3 = CipherSettings(
        pageSize: 1024, kdfAlgorithm: .sha1, kdfIterations: 64_000, hmacAlgorithm: .sha1)
    /// SQLCipher 2's defaults.
    package static let format2 = CipherSettings(
        pageSize: 1024, kdfAlgorithm: .sha1, kdfIterations: 4_000, hmacAlgorithm: .sha1)
    /// SQLCipher 1's defaults: no HMAC, so that damage cannot be told from content.
    package static let format1 = CipherSettings(
        pageSize: 1024, kdfAlgorithm: .sha1, kdfIterations: 4_000, hmacAlgorithm: nil)

    /// The defaults of all formats, the newest first.
    package static let formats: [(number: Int, settings: CipherSettings)] = [
        (4, .format4), (3, .format3), (2, .format2), (1, .format1),
    ]

    /// The version of SQLCipher whose defaults these are; nil for settings of one's own.
    package var format: Int? { Self.formats.first { $0.settings == self }?.number }

    /// The size of the salt at the start of the file, in bytes.
    package static let saltSize = KeyDerivation.saltSize
    static let ivSize = 16
    static let keySize = KeyDerivation.keySize
    private static let blockSize = 16

    /// How many bytes at the end of each page are SQLCipher's: the IV, the HMAC, and filling up to a whole
    /// block of the cipher.
    package var reserve: Int {
        let used = Self.ivSize + (hmacAlgorithm?.size ?? 0)
        return (used + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    }

    /// What of the first page is neither encrypted nor covered by its HMAC: the salt, or the unencrypted header.
    var firstPageHead: Int { plaintextHeaderSize > 0 ? plaintextHeaderSize : Self.saltSize }

    /// The page on which SQLite puts its locks. It never has content and lies in the file as zeros.
    package var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }

    /// Whether SQLCipher could have made a file with these settings.
    package var isValid: Bool {
        (1024...65536).contains(pageSize) && pageSize.nonzeroBitCount == 1 && kdfIterations > 0
            && (0...96).contains(plaintextHeaderSize) && plaintextHeaderSize % Self.blockSize == 0
    }
}

extension CipherSettings {
    /// Such as `with SQLCipher 3 settings`.
    package var text: String {
        if let format { return "with SQLCipher \(format) settings" }
        let hmac = hmacAlgorithm.map { "HMAC-\($0.rawValue)" } ?? "no HMAC"
        return "with \(pageSize)-byte pages, \(hmac), \(Count.text(kdfIterations, "iteration")) of "
            + "PBKDF2-\(kdfAlgorithm.rawValue)"
    }
}

extension CipherSettings {
    /// The statements that make SQLCipher open such a file, without `PRAGMA`.
    package var pragmas: [String] {
        var pragmas = [
            "cipher_page_size = \(pageSize)", "kdf_iter = \(kdfIterations)",
            "cipher_kdf_algorithm = PBKDF2_HMAC_\(kdfAlgorithm.rawValue)",
            "cipher_use_hmac = \(hmacAlgorithm == nil ? "OFF" : "ON")",
        ]
        if let hmacAlgorithm { pragmas.append("cipher_hmac_algorithm = HMAC_\(hmacAlgorithm.rawValue)") }
        if plaintextHeaderSize > 0 {
            pragmas.append("cipher_plaintext_header_size = \(plaintextHeaderSize)")
        }
        return pragmas
    }
}
