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
        try connection.prepareRebuilding(autoVacuum: Int(autoVacuum.rawValue))
        try connection.begin()
        try fileSystem.setPermissions(.ownerReadWrite, of: path)
    }

    /// Makes an object from its statement.
    /// - Returns: nil, or why it was not made.
    func make(_ entry: SchemaEntry) throws -> String? {
        guard entry.isHarmless, let sql = entry.sql else { return "its SQL statement is not safe to run" }
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
        try connection.note(entry.kind.rawValue, entry.name, of: entry.table, sql: entry.sql)
    }

    /// Called for each row that was written.
    func countRow() throws {
        pending += 1
        guard pending >= Self.rowsInTransaction else { return }
        try flush()
    }

    func flush() throws {
        pending = 0
        try connection.commit()
        try connection.begin()
    }

    func finish() throws { try connection.commit() }
}
