import FaultInjection
import SessionBuilders
import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
import ValiseSessionStore

@testable import Valise

/// A store of Session of which guards are taken, and what tests do with it.
struct GuardedProfile {
    let folder: TemporaryFolder
    let isPhone: Bool
    private let notes = Notes()
    static let story = Story(seed: 7, messages: 120)
    /// 2026-01-31T12:00:00Z.
    static let time: Int64 = 1_769_860_800

    var path: FilePath { folder.appending("Session") }
    var database: FilePath {
        isPhone ? PhoneBuilder.database(path) : DesktopBuilder.database(path)
    }
    var guardPath: FilePath { folder.appending("Session-guard-20260131T120000Z") }
    var kept: FilePath { folder.appending("Session-before-restore-20260131T130000Z") }
    var passphrase: PassphraseSource {
        isPhone ? .file(folder.appending("key")) : PassphraseSource()
    }

    private final class Notes: Sendable {
        let texts = Mutex<[String]>([])
    }

    init(isPhone: Bool = false, lock: DesktopBuilder.Lock = .key) throws {
        folder = try TemporaryFolder("valise-guard", inMemory: true)
        self.isPhone = isPhone
        if isPhone {
            try PhoneBuilder().write(Self.story, to: path)
            try TestFiles.write(PhoneBuilder.key, to: folder.appending("key"))
        } else {
            try DesktopBuilder(lock: lock).write(Self.story, to: path)
        }
    }

    var noted: [String] { notes.texts.withLock { $0 } }

    func context(_ answer: Bool? = true) -> OperationContext { context(asking: RecordedAnswers(answer)) }

    func context(asking questions: any Questions) -> OperationContext {
        OperationContext(
            folders: ValiseFolders(state: folder.appending("state"), temporary: "/dev/shm"),
            questions: questions,
            events: { [notes] in
                if case .note(let note) = $0 { notes.texts.withLock { $0.append(note.text) } }
            })
    }

    // MARK: Operations

    func taking(_ fileSystem: FileSystem = FileSystem()) -> GuardSession {
        var operation = GuardSession(path, passphrase: passphrase)
        operation.fileSystem = fileSystem
        operation.clock = { Self.time }
        return operation
    }

    @discardableResult
    func take() async throws -> TakenSessionGuard { try await taking().run(in: context()) }

    /// While the program has a log.
    func takeWithLog() async throws {
        let connection = try connect()
        try connection.execute("UPDATE messages SET body = 'in the log'")
        try await take()
        try close(connection)
    }

    func restoring(_ fileSystem: FileSystem = FileSystem()) -> RestoreSessionGuard {
        var operation = RestoreSessionGuard(guardPath, passphrase: passphrase)
        operation.fileSystem = fileSystem
        operation.clock = { Self.time + 3600 }
        return operation
    }

    // MARK: The program

    /// As the program opens its database.
    func connect() throws -> Connection {
        let key = isPhone ? Hexadecimal.encode(PhoneBuilder.key) : DesktopBuilder.key
        let connection = try Connection(
            database, mode: .shared, passphrase: SecretBytes(copying: Array("x'\(key)'".utf8)),
            cipher: isPhone ? ["cipher_plaintext_header_size = 32"] : [])
        _ = try connection.value("PRAGMA journal_mode = WAL")
        return connection
    }

    var messagesTable: String { isPhone ? "interaction" : "messages" }

    /// What a migration does that fails: a table is gone, and rows are changed. All of it is in the log.
    func migrateBadly(_ connection: borrowing Connection) throws {
        try connection.transaction {
            try connection.execute("DELETE FROM \(messagesTable) WHERE rowid % 2 = 0")
            try connection.execute("UPDATE \(messagesTable) SET body = 'lost'")
            try connection.execute("CREATE TABLE migrating (step INTEGER)")
            try connection.execute("ALTER TABLE \(messagesTable) RENAME TO broken")
        }
    }

    /// The same, and the program is killed: its log stays.
    func crashMigrating() throws {
        let connection = try connect()
        try migrateBadly(connection)
        // It is copied from under the connection, which merges it when it closes.
        let paths = [database, database.appendingSuffix("-wal")]
        let copies = try paths.map { try FileSystem().contents(of: $0, limit: 1 << 28) }
        try close(connection)
        for (path, bytes) in zip(paths, copies) { try TestFiles.write(bytes, to: path) }
    }

    private func close(_ connection: consuming Connection) throws {}

    // MARK: States

    /// What is in the store after a restore, but for attachments.
    func contentsOfGuard() throws -> [String: [UInt8]?] {
        var contents = try TemporaryFolder.contents(of: guardPath)
        contents["guard.json"] = nil
        return contents
    }

    /// What is in the folder of the store.
    func contents() throws -> [String: [UInt8]?] { try TemporaryFolder.contents(of: path) }

    /// All that is beside the store, hidden or not.
    func names() throws -> Set<String> {
        Set(try FileSystem().list(folder.path).compactMap(\.name)).subtracting(["key", "state"])
    }

    /// How many messages the store has.
    func messages() async throws -> Int64 {
        let place = try SessionPlace.require(path)
        let access = try await SessionAccess(place, passphrase, to: "count", in: context())
        return try access.snapshot.open().conversations { _ in }.reduce(0) { $0 + $1.messages }
    }
}
