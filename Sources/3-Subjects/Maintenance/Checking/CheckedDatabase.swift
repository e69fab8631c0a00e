import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// A database under check: where its bytes are, and the key once it is known.
struct CheckedDatabase: Sendable {
    let database: AccountDatabase
    let source: any ByteSource
    /// Nil where the passphrase did not open it, or none is needed.
    private(set) var encrypted: EncryptedDatabaseFile?
    var findings: DatabaseFindings

    private static let smallestPage: Int64 = 512

    /// What the HMACs of all pages say; nil before they were checked.
    private(set) var verification: PageVerification?

    /// Opens both, side by side: the derivation of a key takes as long as hundreds of megabytes of pages.
    ///
    /// - Parameters:
    ///   - sources: the chat database and the agent database, with the names that the user knows.
    ///   - passphrase: nil where it is not known.
    ///   - keys: those that were found out before.
    static func open(
        _ sources: [(source: any ByteSource, name: String)], passphrase: borrowing SecretBytes?,
        keys: DatabaseKeys?
    ) throws -> (chat: CheckedDatabase, agent: CheckedDatabase) {
        let isKnown = passphrase != nil
        let secret = SharedSecret(try passphrase.duplicate() ?? SecretBytes.empty())
        let opened = Mutex<[AccountDatabase: CheckedDatabase]>([:])
        try ParallelBatches.run(count: sources.count) {
        } work: { _, index in
            let database = AccountDatabase.allCases[index]
            var checked = try CheckedDatabase(
                database, sources[index].source, named: sources[index].name, passphrase: secret.bytes,
                keys)
            if !isKnown, checked.findings.key == .wrong { checked.noteNoPassphrase() }
            opened.withLock { $0[database] = checked }
        }
        guard let chat = opened.withLock({ $0[.chat] }), let agent = opened.withLock({ $0[.agent] }) else {
            throw CheckError(.failed, "a database was not opened", subject: sources[0].name)
        }
        return (chat, agent)
    }

    /// Looks at the form and tries the passphrase.
    private init(
        _ database: AccountDatabase, _ source: any ByteSource, named file: String,
        passphrase: borrowing SecretBytes, _ keys: DatabaseKeys?
    ) throws {
        self.database = database
        self.source = source
        findings = DatabaseFindings(file: file, form: .unknown, key: .notNeeded, size: source.size)
        let result = try keys?.known(database, at: source) ?? Self.found(source, passphrase)
        encrypted = result.file
        switch result.verdict {
        case .unencrypted:
            findings.form = .unencrypted
            noteUnencryptedHeader()
        case .right(let settings), .firstPageDamaged(let settings):
            findings.form = .encrypted
            findings.key = .right
            findings.pageSize = settings.pageSize
            findings.cipherFormat = settings.format
            findings.pages = result.file?.pageCount
        case .wrong:
            findings.form = .encrypted
            findings.key = .wrong
        case .notSQLCipher:
            findings.add(Self.noDatabase(source))
        }
    }

    private static func found(
        _ source: any ByteSource, _ passphrase: borrowing SecretBytes
    ) throws -> DatabaseKeys.Found {
        let result = try CipherIdentification.identify(source, passphrase: passphrase)
        return DatabaseKeys.Found(verdict: result.verdict, file: result.file)
    }

    /// Without the key nothing tells the size of a page, but that it is a multiple of the smallest.
    private mutating func noteNoPassphrase() {
        findings.key = .notGiven
        let rest = source.size % Self.smallestPage
        guard rest > 0 else { return }
        findings.add(
            DatabaseProblem(
                .cutOff,
                "\(Count.bytes(rest)) after the last complete page: the file was cut off "
                    + "there, or data was appended"
            ))
    }

    private static func noDatabase(_ source: any ByteSource) -> DatabaseProblem {
        var problem = DatabaseProblem(
            .notADatabase,
            source.size == 0
                ? "the file is empty"
                : "not a database, or its first page is lost: neither a SQLite header nor encrypted pages "
                    + "found")
        problem.page = 1
        problem.offset = 0
        return problem
    }

    private mutating func noteUnencryptedHeader() {
        guard let head = try? source.bytes(at: 0, upTo: 18), head.count == 18 else { return }
        let size = Int(head[16]) << 8 | Int(head[17])
        let pageSize = size == 1 ? 65536 : size
        guard pageSize >= 512 else { return }
        findings.pageSize = pageSize
        findings.pages = UInt32(exactly: source.size / Int64(pageSize))
    }

    /// Whether SQLite can be asked about it.
    var isReadable: Bool { findings.form == .unencrypted || encrypted != nil }

    /// Whether content of it can be told: what asks for a passphrase that nobody gave is not among it.
    var isOpened: Bool { isReadable && findings.key != .wrong && findings.key != .notGiven }

    mutating func note(_ verification: PageVerification) { self.verification = verification }

    /// Opens it for SQL, without deriving the key once more.
    ///
    /// Once its pages were checked and hold, they are not checked again each time SQLite reads one.
    ///
    /// - Throws: ``DatabaseError``; `SecretsError`; ``PageCipherError``; errors of the source.
    func connect() throws -> Connection {
        let place = try place()
        return try Connection(place.source, passphrase: place.key, cipher: place.cipher)
    }

    /// Opens a file with the same bytes, to write.
    /// - Throws: ``DatabaseError``; `SecretsError`.
    func connectForWriting(at path: FilePath) throws -> Connection {
        guard let encrypted else {
            return try Connection(path, mode: .readWrite, passphrase: try SecretBytes.empty())
        }
        return try Connection(
            path, mode: .readWrite, passphrase: try encrypted.key.rawPassphrase(),
            cipher: encrypted.settings.pragmas)
    }

    /// Whether the header asks for a write-ahead log.
    func asksForLog() throws -> Bool {
        if let encrypted { return try encrypted.asksForLog() }
        // Bytes 18 and 19: the versions needed to write and to read; 2 is a write-ahead log.
        let head = try source.bytes(at: 0, upTo: 20)
        return findings.form == .unencrypted && head.count == 20 && (head[18] == 2 || head[19] == 2)
    }

    /// Makes it readable on a connection to the other database.
    /// - Throws: as ``connect()``.
    func attach(to connection: borrowing Connection, as name: String) throws {
        let place = try place()
        try connection.attachForReading(place.source, as: name, passphrase: place.key)
    }

    /// Whether SQLCipher is not needed to read it.
    func isReadAsUnencrypted() throws -> Bool { try encrypted == nil || decrypted() != nil }

    private struct Place: ~Copyable {
        let source: any ByteSource
        let key: SecretBytes
        let cipher: [String]
    }

    private func place() throws -> Place {
        guard let encrypted else {
            return Place(source: source, key: try SecretBytes.empty(), cipher: [])
        }
        if let decrypted = try decrypted() {
            return Place(source: decrypted, key: try SecretBytes.empty(), cipher: [])
        }
        return Place(
            source: source, key: try encrypted.key.rawPassphrase(), cipher: encrypted.settings.pragmas)
    }

    private func decrypted() throws -> DecryptedSource? {
        guard let encrypted, let verification, verification.isSound else { return nil }
        return try DecryptedSource(encrypted, verification)
    }
}
