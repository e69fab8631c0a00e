import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSecrets

extension Connection {
    /// How long another process is waited for that writes, in milliseconds.
    private static let patience = 10_000

    /// Opens a database of our own, or makes it, for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - key: 32 bytes; empty for one that is not encrypted.
    ///   - version: of the tables; one of another version is not opened.
    ///   - schema: makes the tables, and sets the version.
    ///   - name: what it is, in an error: `an index`.
    ///   - fileSystem: where it is.
    ///   - check: called before the tables are made.
    /// - Throws: `FileError`; ``DatabaseError``: `unsupported` where it is of another version; as for any database with another key;
    ///   whatever `check` throws.
    static func own(
        _ path: FilePath, key: borrowing SecretBytes, version: Int64, schema: String, name: String,
        _ fileSystem: FileSystem, check: (borrowing Connection) throws -> Void = { _ in }
    ) throws -> Connection {
        // SQLite would make it for everybody to read.
        if !(try fileSystem.exists(path)) { try fileSystem.create(path).close() }
        let passphrase = key.isEmpty ? try SecretBytes.empty() : try key.rawKey()
        let connection = try Connection(path, mode: .shared, passphrase: passphrase)
        try connection.execute("PRAGMA busy_timeout = \(patience)")
        guard try !connection.isMade(version, name) else { return connection }
        try check(connection)
        try connection.transaction {
            // Another process may have made it meanwhile.
            if try !connection.isMade(version, name) { try connection.execute(schema) }
        }
        return connection
    }

    private borrowing func isMade(_ version: Int64, _ name: String) throws(DatabaseError) -> Bool {
        let found = try count("PRAGMA user_version")
        guard found != version else { return true }
        guard found == 0, try !hasRow("SELECT 1 FROM sqlite_master") else {
            throw DatabaseError(.unsupported, "not \(name) of this version", file: path.string)
        }
        return false
    }
}
