import SystemPackage
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// The new database that takes what is saved. Nothing of it counts until it is put in place, so it needs no
/// journal on the disk; and nothing of it lies anywhere else, not even for a moment.
final class SalvageTarget {
    let connection: Connection
    let path: FilePath
    private var pending = 0

    /// So many rows go into one transaction, which keeps the journal in memory small.
    private static let rowsInTransaction = 20_000

    init(
        _ path: FilePath, passphrase: borrowing SecretBytes, autoVacuum: DatabaseHeader.AutoVacuum,
        fileSystem: FileSystem
    ) throws {
        self.path = path
        connection = try Connection(path, mode: .create, passphrase: passphrase)
        try connection.execute(
            """
            PRAGMA temp_store = MEMORY;
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            PRAGMA foreign_keys = OFF
            """)
        // The connection asked for full, and after its first look SQLite changes that only while vacuuming.
        if autoVacuum != .full {
            try connection.execute("PRAGMA auto_vacuum = \(autoVacuum.rawValue); VACUUM")
        }
        try connection.execute("BEGIN")
        try fileSystem.setPermissions(.ownerReadWrite, of: path)
    }

    /// Makes an object from its statement.
    /// - Returns: nil, or why it was not made.
    func make(_ entry: SchemaEntry) throws -> String? {
        guard entry.isHarmless, let sql = entry.sql else { return "its statement is not what it should be" }
        do {
            try connection.run(sql)
            return nil
        } catch {
            guard error.code != .noSpace, error.code != .interrupted else { throw error }
            return error.message
        }
    }

    /// Notes an object that has no tree, without running its statement.
    func note(_ entry: SchemaEntry) throws {
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.run(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)",
            [
                .text(entry.kind.rawValue), .text(entry.name), .text(entry.table),
                entry.sql.map(Value.text) ?? .null,
            ])
        try connection.execute("PRAGMA writable_schema = OFF")
    }

    func prepare(_ sql: String) throws -> PreparedStatement {
        PreparedStatement(try connection.prepare(sql))
    }

    /// Called for each row that was written.
    func countRow() throws {
        pending += 1
        guard pending >= Self.rowsInTransaction else { return }
        try flush()
    }

    func flush() throws {
        pending = 0
        try connection.execute("COMMIT; BEGIN")
    }

    func finish() throws { try connection.execute("COMMIT") }
}
