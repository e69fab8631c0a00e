import Accounts
import Database
import Failures
import Files
import Secrets
import SystemPackage

/// Proves the unpacked databases before they may replace anything.
struct ImportedDatabases {
    private let change: AccountChange
    private let archive: FilePath
    private let fileSystem: FileSystem

    init(_ change: AccountChange, _ archive: FilePath, _ fileSystem: FileSystem) {
        self.change = change
        self.archive = archive
        self.fileSystem = fileSystem
    }

    /// - Returns: whether both were opened.
    func check(_ passphrase: borrowing SecretBytes?) throws -> Bool {
        var forms: [DatabaseFile.Form] = []
        var opened = true
        for database in AccountDatabase.allCases {
            let file = try DatabaseFile(change.stagedPath(of: database), fileSystem: fileSystem)
            forms.append(file.form)
            guard file.form == .plain || file.form == .encrypted else {
                throw refusal(.damaged, database, "it is not a database")
            }
            if file.form == .plain {
                try open(database, file, try SecretBytes.empty())
            } else if let key = try passphrase.duplicate() {
                try open(database, file, key)
            } else {
                opened = false
            }
        }
        guard Set(forms).count == 1 else {
            throw refusal(.unsupported, .agent, "one database is encrypted and the other is not")
        }
        return opened
    }

    private func open(
        _ database: AccountDatabase, _ file: DatabaseFile, _ passphrase: consuming SecretBytes
    ) throws {
        do {
            // Reading only: opened for writing, the file would change, and an import gives equal files.
            let connection = try Connection(file.path, mode: .readOnly, passphrase: passphrase)
            guard let tables = try connection.value("SELECT count(*) FROM sqlite_master"),
                tables != .integer(0)
            else { throw refusal(.damaged, database, "it holds no tables") }
            guard try connection.value("PRAGMA journal_mode") == .text("wal") else { return }
            // The official programs never use a write-ahead log; a database that asks for one is put right.
            let writing = try Connection(file.path, mode: .readWrite, passphrase: passphrase)
            _ = consume connection
            _ = try writing.value("PRAGMA journal_mode = DELETE")
        } catch let error as DatabaseError {
            // A plain database has no passphrase that could be wrong.
            guard file.form != .plain || error.code != .wrongPassphrase else {
                throw refusal(.damaged, database, "it is not a database")
            }
            throw refusal(error.code, database, error.message)
        }
    }

    private func refusal(
        _ code: FailureCode, _ database: AccountDatabase, _ reason: String
    ) -> AccountArchiveError {
        Self.refusal(code, database, reason, archive)
    }

    static func refusal(
        _ code: FailureCode, _ database: AccountDatabase, _ reason: String, _ archive: FilePath
    ) -> AccountArchiveError {
        AccountArchiveError(
            code, "\(database.archiveName) in the archive is refused: \(reason); nothing was changed",
            subject: archive.string)
    }
}
