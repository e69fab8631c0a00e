import Synchronization
import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// Checks a passphrase against both databases, without writing anything.
package struct PassphraseCheck {
    package struct Result: Sendable {
        package let database: AccountDatabase
        package let path: String
        package let answer: PassphraseAnswer
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
        try run(
            AccountReader(asItIs: location, fileSystem: fileSystem), passphrase: passphrase, hint: hint)
    }

    /// The same of an account in a folder that is open already.
    package static func run(
        _ account: AccountReader, passphrase: borrowing SecretBytes, hint: CipherHint? = nil
    ) throws -> [Result] {
        let files = try AccountDatabase.allCases.compactMap { database in
            try account.fileToRead(of: database).map { (database, $0) }
        }
        let verdicts = try verdicts(
            on: passphrase, for: account, files.filter { $0.1.form != .missing }.map(\.0), hint)
        return try files.map { database, file in Result(database, file, try verdicts[database]?.get()) }
    }

    /// Whether a passphrase opens no database, as far as that can be told: what is damaged is no fault of the passphrase.
    package static func isWrong(
        _ passphrase: borrowing SecretBytes, for account: AccountReader,
        _ databases: [AccountDatabase] = AccountDatabase.allCases, hint: CipherHint? = nil
    ) -> Bool {
        let verdicts = (try? verdicts(on: passphrase, for: account, databases, hint)) ?? [:]
        var isWrong = false
        for verdict in verdicts.values {
            switch try? verdict.get() {
            case .right, .firstPageDamaged: return false
            case .wrong: isWrong = true
            case .unencrypted, .notSQLCipher, nil: continue
            }
        }
        return isWrong
    }

    /// Tries a passphrase on databases side by side: it takes about as long as one key derivation.
    /// - Throws: `SecretsError`; the errors of a database are in its result.
    private static func verdicts(
        on passphrase: borrowing SecretBytes, for account: AccountReader, _ databases: [AccountDatabase],
        _ hint: CipherHint?
    ) throws -> [AccountDatabase: Swift.Result<CipherVerdict, any Error>] {
        let key = SharedSecret(try passphrase.duplicate())
        let verdicts = Mutex<[AccountDatabase: Swift.Result<CipherVerdict, any Error>]>([:])
        try ParallelBatches.run(count: databases.count) {
        } work: { _, index in
            let verdict = Swift.Result<CipherVerdict, any Error> {
                try CipherIdentification.identify(
                    account.unfolded(databases[index]), passphrase: key.bytes, hint: hint
                ).verdict
            }
            verdicts.withLock { $0[databases[index]] = verdict }
        }
        return verdicts.withLock { $0 }
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
