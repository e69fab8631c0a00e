package import ValiseFiles
package import ValiseSecrets

/// What a passphrase and a file have to do with each other.
package enum CipherVerdict: Sendable, Equatable {
    /// The passphrase opens the file, which has these settings.
    case right(CipherSettings)
    /// The passphrase is right, since other pages hold under it, and the first page is damaged.
    case firstPageDamaged(CipherSettings)
    /// The file may well be encrypted, and this passphrase opens it under no known settings. Were its first
    /// 16 bytes damaged, no passphrase would.
    case wrong
    /// The file starts with SQLite's own header.
    case unencrypted
    /// Most of the file is not random, so SQLCipher did not make it; or it is shorter than a page.
    case notSQLCipher
}

/// Finds out whether a passphrase is right, without writing anything and without SQLCipher.
///
/// SQLCipher itself answers "file is not a database" to a wrong passphrase, a damaged first page, and other
/// settings alike.
package struct CipherIdentification {
    /// The verdict, and the file opened where the passphrase is right.
    package struct Result {
        package let verdict: CipherVerdict
        package let file: EncryptedDatabaseFile?
    }

    private let source: any ByteSource
    private let salt: [UInt8]
    private let derivations: [CipherSettings]

    /// Key derivations whose settings are looked for: the defaults of the formats. The older ones add less
    /// than a tenth to the time of format 4.
    static let derivations = [CipherSettings.format4, .format3, .format2]
    private static let pageSizes = [4096, 1024, 2048, 8192, 16384, 32768, 65536]

    /// Looks for the settings under which the passphrase opens the file.
    ///
    /// - Parameters:
    ///   - source: the bytes of the database.
    ///   - passphrase: is tried with all known settings.
    ///   - hint: the key derivation of a file with settings of one's own, which nobody could find by
    ///     trying; nil for the defaults of all formats.
    /// - Throws: errors of the source; ``PageCipherError``.
    package static func identify(
        _ source: any ByteSource, passphrase: borrowing SecretBytes, hint: CipherHint? = nil
    ) throws -> Result {
        let head = FileHead(try FileHead.bytes(of: source))
        guard !head.isUnencrypted || (hint?.plaintextHeaderSize ?? 0) > 0 else {
            return Result(verdict: .unencrypted, file: nil)
        }
        guard source.size >= Int64(CipherSettings.format3.pageSize), !passphrase.isEmpty else {
            let isRandom = try Randomness.looksRandom(source)
            return Result(verdict: isRandom ? .wrong : .notSQLCipher, file: nil)
        }
        let derivations = hint.map { [$0.settings] } ?? derivations
        return try CipherIdentification(
            source: source, salt: hint?.salt ?? head.salt, derivations: derivations
        ).run(passphrase)
    }

    private init(source: any ByteSource, salt: [UInt8], derivations: [CipherSettings]) {
        self.source = source
        self.salt = salt
        self.derivations = derivations
    }

    private func run(_ passphrase: borrowing SecretBytes) throws -> Result {
        for derivation in derivations {
            let key = try CipherKey(passphrase: passphrase, salt: salt, settings: derivation)
            if let result = try look(derivation, key) { return result }
        }
        return Result(verdict: try Randomness.looksRandom(source) ? .wrong : .notSQLCipher, file: nil)
    }

    /// Tries all layouts of pages that a derived key could belong to.
    private func look(_ derivation: CipherSettings, _ key: CipherKey) throws -> Result? {
        let layouts = [derivation] + layouts(of: derivation)
        for settings in layouts where settings.hmacAlgorithm != nil {
            let file = try EncryptedDatabaseFile(source, settings: settings, key: key)
            guard file.pageCount > 0, try Self.isFirstPageSound(file) else { continue }
            return Result(verdict: .right(settings), file: file)
        }
        for settings in layouts where settings.hmacAlgorithm != nil {
            let file = try EncryptedDatabaseFile(source, settings: settings, key: key)
            guard try Self.hasSoundPage(file) else { continue }
            return Result(verdict: .firstPageDamaged(settings), file: file)
        }
        // Last: without an HMAC only the header tells, and that weakly.
        for settings in layouts where settings.hmacAlgorithm == nil {
            let file = try EncryptedDatabaseFile(source, settings: settings, key: key)
            guard file.pageCount > 0, try Self.isFirstPageSound(file) else { continue }
            return Result(verdict: .right(settings), file: file)
        }
        return nil
    }

    private func layouts(of derivation: CipherSettings) -> [CipherSettings] {
        var layouts: [CipherSettings] = []
        for pageSize in Self.pageSizes {
            for hmac in [derivation.hmacAlgorithm, .sha512, .sha256, .sha1, nil] {
                var settings = derivation
                settings.pageSize = pageSize
                settings.hmacAlgorithm = hmac
                if settings != derivation, !layouts.contains(settings) { layouts.append(settings) }
            }
        }
        return layouts
    }

    /// Whether the HMAC of the first page holds and, where there is none, what it decrypts to is a header.
    static func isFirstPageSound(_ file: EncryptedDatabaseFile) throws -> Bool {
        try unsafe file.reader().withPage(1) { status, page in
            guard file.settings.hmacAlgorithm == nil else { return status == .intact }
            return unsafe FileHead(Array(page.prefix(100))).isHeader(of: file.settings)
        }
    }

    /// Looks at a few pages all over the file. A wrong key passes none of their HMACs.
    private static func hasSoundPage(_ file: EncryptedDatabaseFile) throws -> Bool {
        guard file.pageCount > 1 else { return false }
        let reader = try file.reader()
        let step = max(1, file.pageCount / 16)
        let numbers = [2, 3, 4, 5].filter { $0 <= file.pageCount }
        let spread = stride(from: UInt32(2), through: file.pageCount, by: Int(step))
        return try (numbers + spread).contains { number in
            try unsafe reader.withPage(number) { status, _ in status == .intact }
        }
    }
}
