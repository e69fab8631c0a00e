import Synchronization
import ValiseAccountArchives
import ValiseAccounts
import ValiseCryptoFiles
import ValiseDatabase
import ValiseSecrets

/// The keys that an archive's chat database has for its media, for any thread: the database stays open.
final class LockedMediaKeys: Sendable {
    private let keys: Mutex<ArchivedMediaKeys>

    /// - Parameter passphrase: empty for none.
    /// - Returns: nil where none is given.
    /// - Throws: ``AccountMediaError``; `DatabaseError`; `AccountArchiveError`: `unsupported`.
    init?(_ archive: ArchiveStorage, passphrase: consuming SecretBytes?) throws {
        guard let passphrase else { return nil }
        let reader = AccountReader(archive)
        let connection = try reader.connectWithAnySettings(.chat, passphrase: passphrase)
        keys = Mutex(try ArchivedMediaKeys(reader, connection) {})
    }

    /// Whether a file of the media folder is encrypted, as the database says.
    func has(_ name: String) -> Bool { keys.withLock { $0.has(name) } }

    /// Its keys.
    /// - Throws: `DatabaseError`; `SecretsError`.
    func keys(of name: String) throws -> [CryptoFileArgs] { try keys.withLock { try $0.keys(of: name) } }
}
