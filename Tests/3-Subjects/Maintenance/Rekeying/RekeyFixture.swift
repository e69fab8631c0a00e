import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// An account whose passphrase is changed. Raw keys need no derivation, so they are fast.
final class RekeyFixture {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    static let old = rawKey("5a")
    static let new = rawKey("c3")

    static func rawKey(_ digits: String, count: Int = 32) -> [UInt8] {
        Array(("x'" + String(repeating: digits, count: count) + "'").utf8)
    }

    /// - Parameter passphrase: empty for none.
    init(passphrase: [UInt8] = old, rows: Int = 300) throws {
        folder = try TemporaryFolder()
        location = AccountLocation(directory: folder.appending("account"))
        try PreparedFolder.place("rekey \(passphrase) \(rows)", at: location.directory) { directory in
            try Self.make(AccountLocation(directory: directory), passphrase, rows: rows)
        }
    }

    private static func make(_ location: AccountLocation, _ passphrase: [UInt8], rows: Int) throws {
        let key = try SecretBytes(copying: passphrase)
        try AccountCreation().create(location, passphrase: key)
        for database in AccountDatabase.allCases {
            let connection = try Connection(location.path(of: database), mode: .readWrite, passphrase: key)
            try connection.execute("CREATE TABLE filling (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)")
            try connection.execute("BEGIN")
            for row in 0..<rows {
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: row), count: row * 37 % 6000)
                try connection.run(
                    "INSERT INTO filling VALUES (?, ?, ?)",
                    [.integer(Int64(row)), .text("row \(row)"), .blob(bytes)])
            }
            try connection.execute("DELETE FROM filling WHERE id % 5 = 0; COMMIT; PRAGMA user_version = 77")
        }
    }

    func change(
        from old: [UInt8] = old, to new: [UInt8] = new, keepsBackup: Bool = false, dryRun: Bool = false,
        fileSystem: FileSystem = FileSystem()
    ) throws -> RekeyReport {
        try AccountRekey(fileSystem: fileSystem).run(
            location, config: Self.config(old, new), keepsBackup: keepsBackup, dryRun: dryRun)
    }

    static func config(_ old: [UInt8], _ new: [UInt8]) throws -> DBEncryptionConfig {
        try DBEncryptionConfig(
            currentKey: SecretBytes(copying: old), newKey: SecretBytes(copying: new))
    }

    /// All that is in both databases, read through SQLCipher.
    func dump(_ passphrase: [UInt8]) throws -> [[[Value]]] {
        try AccountDatabase.allCases.flatMap { database in
            let connection = try Connection(
                location.path(of: database), mode: .readOnly, passphrase: SecretBytes(copying: passphrase))
            let pragmas = try ["user_version", "auto_vacuum", "integrity_check", "encoding"].map {
                try connection.rows("PRAGMA \($0)")
            }
            let integrity = passphrase.isEmpty ? [] : try connection.rows("PRAGMA cipher_integrity_check")
            #expect(integrity.filter { $0 != [.text("ok")] }.isEmpty)
            let schema = try connection.rows("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
            let rows = try connection.rows("SELECT * FROM filling ORDER BY 1")
            let migrations = try connection.rows("SELECT name FROM migrations ORDER BY 1")
            return pragmas + [schema, rows, migrations]
        }
    }

    /// Which of the passphrases opens a database, by SQLCipher itself.
    func opening(_ passphrases: [[UInt8]]) -> [[UInt8]?] {
        AccountDatabase.allCases.map { database in
            passphrases.first {
                (try? Connection(
                    location.path(of: database), mode: .readOnly, passphrase: SecretBytes(copying: $0)))
                    != nil
            }
        }
    }

    func bytes() throws -> [String: [UInt8]?] { try TemporaryFolder.contents(of: location.directory) }

    /// Changes bytes of a database's file.
    func damage(_ database: AccountDatabase, _ body: (inout [UInt8]) -> Void) throws {
        let path = location.path(of: database)
        var bytes = try fileSystem.contents(of: path, limit: 1 << 30)
        body(&bytes)
        try fileSystem.replace(path, with: bytes)
    }

    /// A committed row, 999, that is in the chat database's log only, as a killed program leaves it.
    func leaveLog() throws {
        let copy = folder.appending("copy")
        do {
            let connection = try Connection(
                location.path(of: .chat), mode: .readWrite, passphrase: SecretBytes(copying: Self.old))
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.execute("INSERT INTO filling VALUES (999, 'in the log', NULL)")
            try TemporaryFolder.copyTree(location.directory, to: copy)
        }
        try fileSystem.removeTree(location.directory)
        try fileSystem.rename(copy, to: location.directory)
    }
}
