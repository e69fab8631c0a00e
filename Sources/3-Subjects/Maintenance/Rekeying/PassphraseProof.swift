import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Opens a database with a passphrase, or says in one sentence why it does not open.
enum PassphraseProof {
    /// - Parameter name: what errors call the file, where it is a copy.
    static func open(
        _ path: FilePath, named name: FilePath? = nil, _ passphrase: borrowing SecretBytes,
        _ fileSystem: FileSystem
    ) throws -> EncryptedDatabaseFile {
        let source = try FileSource(path, fileSystem: fileSystem)
        let result = try CipherIdentification.identify(source, passphrase: passphrase)
        let pages = try opened(result, name ?? path)
        guard pages.settings == .format4 else { throw otherSettings(pages.settings, name ?? path) }
        return pages
    }

    /// The file where the passphrase is right, whatever its settings.
    static func opened(
        _ result: CipherIdentification.Result, _ path: FilePath
    ) throws(RekeyError) -> EncryptedDatabaseFile {
        guard case .right = result.verdict, let file = result.file else {
            throw refusal(result.verdict, path)
        }
        return file
    }

    /// Refuses what could not be opened: both databases in one sentence where the passphrase is wrong for both, else the first.
    static func refuse(_ failures: [AccountDatabase: any Error]) throws {
        let errors = AccountDatabase.allCases.compactMap { failures[$0] }
        guard let first = errors.first else { return }
        let wrong = errors.compactMap { $0 as? RekeyError }.filter(\.isWrongPassphrase)
        guard let path = wrong.first?.path, wrong.count == AccountDatabase.allCases.count else { throw first }
        throw RekeyError(
            .wrongPassphrase, "wrong passphrase. Nothing was changed.",
            path.removingLastComponent(), notADatabase)
    }

    fileprivate static let notADatabase = DatabaseEncryptionError.errorExport(sqliteError: .errorNotADatabase)

    private static func refusal(_ verdict: CipherVerdict, _ path: FilePath) -> RekeyError {
        switch verdict {
        case .firstPageDamaged:
            RekeyError(
                .damaged,
                "correct passphrase, but the first page is damaged. Nothing was changed.", path,
                notADatabase,
                remedy: .salvageAccount(Remedy.Account(ofDatabase: path)))
        case .unencrypted:
            RekeyError(.wrongPassphrase, "the database is not encrypted", path, .errorPlaintext)
        case .notSQLCipher:
            RekeyError(
                .unsupported, "not an encrypted database. Nothing was changed.", path, notADatabase)
        case .wrong, .right:
            RekeyError(
                .wrongPassphrase,
                "wrong passphrase. Nothing was changed.", path, notADatabase)
        }
    }

    private static func otherSettings(_ settings: CipherSettings, _ path: FilePath) -> RekeyError {
        RekeyError(
            .unsupported,
            "correct passphrase, but the database is encrypted \(settings.text). Nothing was changed.",
            path,
            notADatabase, remedy: .upgradeCipher(Remedy.Account(ofDatabase: path)))
    }
}

extension RekeyError {
    /// Whether a passphrase was tried and opens nothing.
    fileprivate var isWrongPassphrase: Bool {
        code == .wrongPassphrase && official == PassphraseProof.notADatabase
    }
}
