package import ValiseConcurrency
package import ValiseDatabase
import ValiseFiles
import ValisePages
package import ValiseSecrets

/// A database for who reads all of it: its pages were checked once, many at a time, and connections only decrypt them.
///
/// SQLCipher checks a page each time SQLite asks for it, which takes ten times as long, and who reads conversation by conversation
/// asks for most pages several times. Each thread may have a connection of its own.
package struct PrecheckedDatabase: Sendable {
    private let source: any ByteSource
    private let key: SharedSecret
    private let cipher: [String]

    /// In KiB, of each connection.
    private static let cacheSize = 16 << 10

    /// - Parameters:
    ///   - source: the database. Its bytes must not change as long as there are connections.
    ///   - passphrase: empty for none.
    ///   - progress: sees how far the check is; throw to stop.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; errors of the source; whatever `progress` throws.
    init(
        _ source: any ByteSource, passphrase: borrowing SecretBytes, progress: ProgressHandler
    ) throws {
        guard let file = try ChatDatabase.open(source, passphrase: passphrase) else {
            self.source = source
            key = SharedSecret(try SecretBytes.empty())
            cipher = []
            return
        }
        let total = source.size
        let found = try file.verify { done in
            try progress(OperationProgress("checking pages", completed: done, total: total, unit: .bytes))
        }
        // With a damaged page, SQLCipher tells whether anything that is read lies on it.
        if found.isSound, let decrypted = try DecryptedSource(file, found) {
            self.source = decrypted
            key = SharedSecret(try SecretBytes.empty())
            cipher = []
        } else {
            self.source = source
            key = SharedSecret(try file.key.rawPassphrase())
            cipher = file.settings.pragmas
        }
    }

    /// Opens it, for the calling thread.
    /// - Throws: `DatabaseError`; errors of the source.
    package func connect() throws -> Connection {
        let connection = try Connection(source, passphrase: key.bytes, cipher: cipher)
        try connection.setCacheSize(kibibytes: Self.cacheSize)
        return connection
    }
}

extension AccountReader {
    /// Checks all pages of a database, for who reads all of it, under whatever settings it has.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - passphrase: empty for none.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: as ``connectWithAnySettings(_:passphrase:progress:)``.
    package func precheck(
        _ database: AccountDatabase, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> PrecheckedDatabase {
        let source = try source(of: database, passphrase: passphrase.duplicate(), progress: progress)
        return try PrecheckedDatabase(source, passphrase: passphrase, progress: progress)
    }
}
