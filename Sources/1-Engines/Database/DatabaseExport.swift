import CValiseSQLCipher
package import SystemPackage
package import ValiseSecrets

/// Copies a whole database into a new file with other encryption, through SQLCipher's own export.
///
/// For what cannot be done page by page: between unencrypted and encrypted, or from another format, the reserved
/// bytes of each page differ. Unlike the official programs' export it keeps `auto_vacuum`, `user_version` and
/// `application_id`.
package struct DatabaseExport: ~Copyable {
    private let source: FilePath
    private let passphrase: SecretBytes
    private let cipher: [String]

    /// - Parameters:
    ///   - source: is only read, without SQLite's locks: the caller holds an exclusive lock of its own.
    ///   - passphrase: of the source; empty for none.
    ///   - cipher: settings that differ from today's defaults, such as `cipher_page_size = 1024`.
    /// - Throws: `SecretsError`.
    package init(
        from source: FilePath, passphrase: borrowing SecretBytes, cipher: [String] = []
    ) throws {
        self.source = source
        self.passphrase = try passphrase.duplicate()
        self.cipher = cipher
    }

    /// Writes the new database, which is not flushed beyond what SQLite does.
    ///
    /// - Parameters:
    ///   - target: an empty file, or none.
    ///   - passphrase: empty for none.
    ///   - look: called often while SQLite works; throw to stop.
    /// - Throws: ``DatabaseError``; whatever `look` throws.
    package borrowing func write(
        to target: FilePath, passphrase: borrowing SecretBytes, look: () throws -> Void = {}
    ) throws {
        let connection = try Connection(
            source, mode: .exportSource, passphrase: self.passphrase, cipher: cipher)
        PrivateFile.make(target)
        try connection.attach(target, as: "target", passphrase: passphrase)
        for pragma in ["encoding", "auto_vacuum"] { try copy(pragma, connection) }
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.supervised(by: look) {
            try connection.execute("SELECT sqlcipher_export('target')")
        }
        for pragma in ["user_version", "application_id"] { try copy(pragma, connection) }
        try connection.execute("DETACH DATABASE target")
    }

    private borrowing func copy(
        _ pragma: String, _ connection: borrowing Connection
    ) throws(DatabaseError) {
        guard let value = try connection.value("PRAGMA main.\(pragma)") else { return }
        try connection.execute("PRAGMA target.\(pragma) = \(value.pragmaText)")
    }
}

extension Value {
    fileprivate var pragmaText: String {
        switch self {
        case .integer(let number): String(number)
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        default: "0"
        }
    }
}

extension Connection {
    /// Attaches another database. Its key is lent to SQLite, not written into the statement.
    fileprivate borrowing func attach(
        _ other: FilePath, as schema: String, passphrase: borrowing SecretBytes
    ) throws(DatabaseError) {
        let statement = try prepare("ATTACH DATABASE ? AS \(schema) KEY ?")
        try statement.run(.text(DatabaseURI.creating(other)), lending: passphrase)
    }
}
