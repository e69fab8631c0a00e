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

    /// Opens a store, or makes it, for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - key: 32 bytes; empty for a store that is not encrypted.
    ///   - fileSystem: where it is.
    /// - Throws: `FileError`; ``DatabaseError``: `unsupported` where it is of another version; as for any database with another key.
    package init(_ path: FilePath, key: borrowing SecretBytes, fileSystem: FileSystem = FileSystem()) throws {
        connection = try .own(
            path, key: key, version: Self.version, schema: Self.schema, name: "a store of texts", fileSystem)
        try connection.execute("PRAGMA secure_delete = ON")
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

    private static let schema = """
        CREATE TABLE texts (name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """
}
