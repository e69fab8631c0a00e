import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseFiles
import ValisePages
import ValiseSecrets

/// A database without a log, and what opens it.
struct SessionDatabase: Sendable {
    /// As it is stored.
    let source: any ByteSource
    private let key: SessionDatabaseKey
    /// How many threads share a pass over all pages.
    private let workers: Int
    /// Nil where SQLCipher decrypts it.
    private let decrypted: (source: DecryptedSource, passphrase: SharedSecret)?
    /// Whether all pages were verified before.
    private let isVerified: Bool

    /// In KiB, of each connection to a database whose pages were verified: messages of a conversation are read in their order, which is
    /// not that of the pages.
    private static let cacheSize = 16 << 10

    /// - Parameter workers: one where the pages can only be had in their order at little cost.
    init(_ source: any ByteSource, key: SessionDatabaseKey, workers: Int = ParallelBatches.workers) {
        (self.source, self.key, self.workers) = (source, key, workers)
        (decrypted, isVerified) = (nil, false)
    }

    /// The same database from a copy of its file.
    func with(_ copy: FileSource) -> SessionDatabase { SessionDatabase(copy, key: key) }

    /// A database whose pages are verified as they are read, for who reads little of it.
    /// - Returns: nil where SQLite would not find its pages.
    /// - Throws: `PageCipherError`; `DatabaseError`; errors of the source.
    init?(verifying source: SettledSource, key: SessionDatabaseKey) throws {
        try key.checkFirstPage(of: source)
        guard let decrypted = try DecryptedSource(verifying: key.pages(of: source)) else { return nil }
        try self.init(SessionDatabase(source, key: key), decrypted, isVerified: false)
    }

    private init(_ stored: SessionDatabase, _ decrypted: DecryptedSource, isVerified: Bool) throws {
        (source, key, workers) = (stored.source, stored.key, stored.workers)
        self.decrypted = (decrypted, SharedSecret(try SecretBytes.empty()))
        self.isVerified = isVerified
    }

    /// Opens it, for the calling thread.
    /// - Throws: `DatabaseError`.
    func connect() throws(DatabaseError) -> Connection {
        guard let decrypted else { return try key.connect(source) }
        let connection = try Connection(decrypted.source, passphrase: decrypted.passphrase.bytes)
        try connection.setCacheSize(kibibytes: Self.cacheSize)
        return connection
    }

    /// The same for who reads all of it: the HMACs of all pages are verified here, and no longer each time one is read. Where one does
    /// not hold SQLCipher still has to tell whether something that is read lies on it.
    /// - Parameter progress: gets the bytes that were checked; throw to stop.
    /// - Throws: ``SessionStoreError``: `damaged`, `failed`; errors of the source; whatever `progress` throws.
    func verified(progress: (Int64) throws -> Void) throws -> SessionDatabase {
        guard !isVerified, source.size > 0 else { return self }
        return try SessionStoreError.ofPages(in: source.path) {
            let file = try key.pages(of: source)
            let found = try file.verify(workers: workers, progress: progress)
            guard found.isSound, let decrypted = try DecryptedSource(file, found) else { return self }
            return try SessionDatabase(self, decrypted, isVerified: true)
        }
    }

    /// See ``SessionSnapshot/derivedKey(label:)``. It is one step further than the key of the pages.
    func derivedKey(label: String) throws -> SharedSecret {
        let step = KeyDerivation(hash: "SHA512", iterations: 1, salt: Array(label.utf8))
        let own = try key.pages(of: source).key.rawPassphrase()
        return SharedSecret(try own.derivedKey(step, size: KeyDerivation.keySize).bytes.duplicate())
    }

    /// What is wrong with the HMACs of all pages: see ``SessionDatabaseKey/pageProblems(of:most:workers:progress:)``.
    func pageProblems(most: Int, progress: (Int64) throws -> Void) throws -> [String] {
        try key.pageProblems(of: source, most: most, workers: workers, progress: progress)
    }
}
