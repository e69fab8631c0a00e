import AccountMedia
import Accounts
import Database
import Failures
import Files
import Secrets
import SystemPackage

/// The same proof where the databases lie, inside of the archive.
extension ImportedDatabases {
    private static let smallestPage: Int64 = 512

    /// - Returns: whether both were opened.
    static func check(
        _ archived: ArchivedAccount, _ archive: FilePath, _ passphrase: borrowing SecretBytes?
    ) throws -> Bool {
        var isEncrypted: Set<Bool> = []
        var opened = true
        for database in AccountDatabase.allCases {
            let source = try archived.source(of: database)
            let encrypted = try archived.isEncrypted(database)
            isEncrypted.insert(encrypted)
            guard source.size > 0, !encrypted || source.size % smallestPage == 0 else {
                throw refusal(.damaged, database, "it is not a database", archive)
            }
            if !encrypted {
                try open(database, source, try SecretBytes.empty(), isPlain: true, archive)
            } else if let key = try passphrase.duplicate() {
                try open(database, source, key, isPlain: false, archive)
            } else {
                opened = false
            }
        }
        guard isEncrypted.count == 1 else {
            throw refusal(.unsupported, .agent, "one database is encrypted and the other is not", archive)
        }
        return opened
    }

    private static func open(
        _ database: AccountDatabase, _ source: any ByteSource, _ passphrase: consuming SecretBytes,
        isPlain: Bool, _ archive: FilePath
    ) throws {
        do {
            let connection = try Connection(source, passphrase: passphrase)
            guard let tables = try connection.value("SELECT count(*) FROM sqlite_master"),
                tables != .integer(0)
            else { throw refusal(.damaged, database, "it holds no tables", archive) }
        } catch let error as DatabaseError {
            guard !isPlain || error.code != .wrongPassphrase else {
                throw refusal(.damaged, database, "it is not a database", archive)
            }
            throw refusal(error.code, database, error.message, archive)
        }
    }
}
