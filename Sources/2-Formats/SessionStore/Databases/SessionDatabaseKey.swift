import SystemPackage
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// What opens a database of Session: a key or passphrase in SQLCipher's form, and settings that differ from its defaults.
struct SessionDatabaseKey: Sendable {
    let passphrase: SharedSecret
    /// The same: keys are derived from it once.
    let remembering: SharedSecret
    /// Such as `cipher_plaintext_header_size = 32`.
    let settings: [String]

    init(_ passphrase: consuming SecretBytes, settings: [String] = []) {
        let passphrase = SharedSecret(passphrase)
        self.passphrase = passphrase
        remembering = (try? passphrase.rememberingKeys()) ?? passphrase
        self.settings = settings
    }

    private init(_ key: SessionDatabaseKey, settings: [String]) {
        (passphrase, remembering, self.settings) = (key.passphrase, key.remembering, settings)
    }

    /// The same key for a database that SQLCipher 3 wrote. The app migrates those; here the file stays as it is, and is read with
    /// the settings of its time.
    var forSQLCipher3: SessionDatabaseKey {
        SessionDatabaseKey(self, settings: settings + [Self.olderCipher])
    }

    /// Where SQLite can read the header without a key, it does not call the rest "not a database".
    private var hasReadableHeader: Bool { settings.contains(Self.readableHeader) }

    /// The settings of SQLCipher 3.
    static let olderCipher = "cipher_compatibility = 3"
    /// So many bytes of the file are not encrypted.
    static let readableHeader = "cipher_plaintext_header_size = 32"

    /// Opens a database where its bytes are.
    /// - Throws: `DatabaseError`.
    func connect(_ source: any ByteSource) throws(DatabaseError) -> Connection {
        try checkFirstPage(of: source)
        return try Connection(source, passphrase: passphrase.bytes, cipher: settings)
    }

    /// Whether the key is right, which the first page shows: also that of a database whose log is not there.
    /// - Throws: errors of the source; ``SessionStoreError`` with `failed`.
    func opens(_ source: any ByteSource) throws -> Bool {
        do throws(DatabaseError) {
            _ = try connect(source)
            return true
        } catch {
            // The header, which was decrypted, asks for the write-ahead log.
            if error.asksForLog { return true }
            if error.isNotADatabase || hasReadableHeader && error.isUnexplained { return false }
            if let failure = error.sourceFailure { throw failure }
            throw SessionStoreError(database: error)
        }
    }

    /// How often a file is looked at that a program may be writing to.
    private static let looks = 4

    /// Whether the key is right for a file. A program may write its first page at this moment, and half of one looks damaged: what
    /// is wrong there is believed when it is wrong each time.
    /// - Throws: `FileError`; ``SessionStoreError``: `damaged`, `failed`.
    func opens(fileAt path: FilePath, _ fileSystem: FileSystem) throws -> Bool {
        for look in 1...Self.looks {
            let source = try FileSource(path, fileSystem: fileSystem)
            // Nothing was ever moved from the log into the database.
            if source.size == 0 { return true }
            let isLast = try look == Self.looks || !fileSystem.exists(path.appendingSuffix("-shm"))
            do {
                if try opens(source) { return true }
            } catch let error as SessionStoreError {
                if isLast || error.kind != .damaged { throw error }
            }
            if isLast { return false }
            FileSystem.wait(.milliseconds(.random(in: 10...30)))
        }
        return false
    }
}
