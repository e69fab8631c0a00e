package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Texts by their names, in a database of their own (Documentation/formats/drafts.md). A crash leaves each as it was or as it is.
///
/// For one thread; another one opens it once more.
package final class TextStore {
    private let connection: Connection

    private static let version: Int64 = 1
    /// How long another process is waited for that writes, in milliseconds.
    private static let patience = 10_000

    /// Opens a store, or makes it, for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - key: 32 bytes; empty for a store that is not encrypted.
    ///   - fileSystem: where it is.
    /// - Throws: `FileError`; ``DatabaseError``: `unsupported` where it is of another version; as for any database with another key.
    package init(_ path: FilePath, key: borrowing SecretBytes, fileSystem: FileSystem = FileSystem()) throws {
        // SQLite would make it for everybody to read.
        if !(try fileSystem.exists(path)) { try fileSystem.create(path).close() }
        let passphrase = key.isEmpty ? try SecretBytes.empty() : try key.rawKey()
        connection = try Connection(path, mode: .shared, passphrase: passphrase)
        try connection.execute("PRAGMA busy_timeout = \(Self.patience); PRAGMA secure_delete = ON")
        guard try !Self.isMade(connection) else { return }
        try connection.transaction {
            // Another process may have made it meanwhile.
            if try !Self.isMade(connection) { try connection.execute(Self.schema) }
        }
    }

    /// The text of a name; nil where there is none.
    /// - Throws: ``DatabaseError``.
    package func text(of name: String) throws(DatabaseError) -> String? {
        let statement = try connection.prepare("SELECT content FROM texts WHERE name = ?")
        try statement.bind([.text(name)])
        return try statement.step() ? statement.value(0).text : nil
    }

    /// Keeps a text in the place of the one that was.
    /// - Throws: ``DatabaseError``.
    package func keep(_ text: String, as name: String) throws(DatabaseError) {
        try connection.run("INSERT OR REPLACE INTO texts VALUES (?, ?)", [.text(name), .text(text)])
    }

    /// Removes a text: nothing of it stays in the file.
    /// - Throws: ``DatabaseError``.
    package func remove(_ name: String) throws(DatabaseError) {
        try connection.run("DELETE FROM texts WHERE name = ?", [.text(name)])
    }

    private static func isMade(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
        let found = try connection.count("PRAGMA user_version")
        guard found != version else { return true }
        guard found == 0, try !connection.hasRow("SELECT 1 FROM sqlite_master") else {
            throw DatabaseError(.unsupported, "no texts of this version", file: connection.path.string)
        }
        return false
    }

    private static let schema = """
        CREATE TABLE texts (name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """
}
