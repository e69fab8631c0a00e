import Synchronization
import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// Checks a passphrase against both databases, without writing anything.
public struct PassphraseCheck {
    /// The answer for one database.
    public enum Answer: String, Sendable, Codable, CaseIterable {
        /// The passphrase opens the database, and the official programs will as well.
        case right
        /// The passphrase does not open the database.
        case wrong
        /// The passphrase is right; the first page is damaged, so that no program opens the database.
        case firstPageDamaged
        /// The passphrase is right; the database is encrypted with other settings than the official ones.
        case otherParameters
        /// The file was not created by SQLCipher.
        case notSQLCipher
        /// The database is not encrypted.
        case unencrypted = "plain"
        /// There is no database.
        case missing
    }

    package struct Result: Sendable {
        package let database: AccountDatabase
        package let path: String
        package let answer: Answer
        /// Nil where the passphrase is not right.
        package let settings: CipherSettings?
        /// What waits beside the file to be folded in: then the answer is about the file without it.
        package let hasJournal: Bool
    }

    /// Checks both databases side by side; it takes about as long as one key derivation.
    /// - Throws: `FileError` when the files cannot be read.
    package static func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, hint: CipherHint? = nil,
        fileSystem: FileSystem = FileSystem()
    ) throws -> [Result] {
        let config = DBEncryptionConfig(
            currentKey: try passphrase.duplicate(), newKey: try SecretBytes.empty())
        let account = AccountReader(asItIs: location, fileSystem: fileSystem)
        let results = Mutex<[AccountDatabase: Result]>([:])
        try ParallelBatches.run(count: AccountDatabase.allCases.count) {
        } work: { _, index in
            let database = AccountDatabase.allCases[index]
            guard let file = try account.fileToRead(of: database) else { return }
            let verdict =
                file.form == .missing
                ? nil
                : try CipherIdentification.identify(
                    account.unfolded(database), passphrase: config.currentKey, hint: hint
                ).verdict
            results.withLock { $0[database] = Result(database, file, verdict) }
        }
        return AccountDatabase.allCases.compactMap { database in results.withLock { $0[database] } }
    }
}

extension PassphraseCheck {
    /// Whether a passphrase opens no database, as far as that can be told: what is damaged is no fault of the passphrase. The
    /// databases are tried side by side, so that it takes no longer than the work after it spares if the passphrase remembers
    /// its keys.
    package static func isWrong(
        _ passphrase: borrowing SecretBytes, for account: AccountReader,
        _ databases: [AccountDatabase] = AccountDatabase.allCases
    ) -> Bool {
        guard let key = try? SharedSecret(passphrase.duplicate()) else { return false }
        let found = Mutex<[CipherVerdict]>([])
        try? ParallelBatches.run(count: databases.count) {
        } work: { _, index in
            guard let source = try? account.unfolded(databases[index]),
                let verdict = try? CipherIdentification.identify(source, passphrase: key.bytes).verdict
            else { return }
            found.withLock { $0.append(verdict) }
        }
        let verdicts = found.withLock { $0 }
        let isRight = verdicts.contains { verdict in
            switch verdict {
            case .right, .firstPageDamaged: true
            case .wrong, .unencrypted, .notSQLCipher: false
            }
        }
        return !isRight && verdicts.contains { if case .wrong = $0 { true } else { false } }
    }
}

extension PassphraseCheck.Result {
    fileprivate init(_ database: AccountDatabase, _ file: DatabaseFile, _ verdict: CipherVerdict?) {
        self.database = database
        path = file.path.string
        hasJournal = file.needsFolding
        switch verdict {
        case nil: (answer, settings) = (.missing, nil)
        case .right(let found): (answer, settings) = (found == .format4 ? .right : .otherParameters, found)
        case .firstPageDamaged(let found): (answer, settings) = (.firstPageDamaged, found)
        case .wrong: (answer, settings) = (.wrong, nil)
        case .unencrypted: (answer, settings) = (.unencrypted, nil)
        case .notSQLCipher: (answer, settings) = (.notSQLCipher, nil)
        }
    }
}
