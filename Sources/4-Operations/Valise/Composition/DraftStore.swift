import SystemPackage
import ValiseAccounts
import ValiseChatLog
import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// The drafts of an account, one for each chat: a database of our own, below the user's state and not beside the account, whose key
/// comes from that of the account (Documentation/formats/drafts.md).
///
/// A crash leaves each draft as it was or as it is.
package struct DraftStore: Sendable {
    private let path: FilePath
    private let key: SharedSecret
    private let fileSystem: FileSystem

    /// Begins the derivation of its key, so that nobody uses the account's own.
    private static let label = "valise.drafts.1"
    private static let version: Int64 = 1
    /// How long another process is waited for that writes, in milliseconds.
    private static let patience = 10_000

    /// - Throws: ``OperationError``: `notFound` where no folder for the user's state is known; `SecretsError`; errors of the account.
    init(
        of input: ConversationInput, _ account: ReadAccount, in folders: ValiseFolders,
        fileSystem: FileSystem = FileSystem()
    ) throws {
        guard let state = folders.state else {
            throw OperationError(.notFound, "no folder for drafts", need: .stateFolder)
        }
        let place = try IndexedDatabase(
            AccountPlace.find(input.path, prefix: input.prefix), now: IndexPlace.now)
        let folder = state.appending("drafts")
        path = folder.appending("\(place.identifier).db")
        key = try AccountFileKey.derived(account.reader, account.key.bytes, label: Self.label)
        self.fileSystem = fileSystem
        try fileSystem.makeDirectories(folder)
    }

    /// The draft of a chat as a document; nil where there is none.
    /// - Throws: `FileError`; `DatabaseError`: with the account's former passphrase, `wrongPassphrase`.
    func draft(of chat: String) throws -> String? {
        guard try fileSystem.exists(path) else { return nil }
        let statement = try connect().prepare("SELECT content FROM drafts WHERE chat = ?")
        try statement.bind([.text(chat)])
        return try statement.step() ? statement.value(0).text : nil
    }

    /// Keeps a draft in the place of the one that was.
    /// - Throws: `FileError`; `DatabaseError`.
    func keep(_ draft: String, of chat: String) throws {
        try connect().run("INSERT OR REPLACE INTO drafts VALUES (?, ?)", [.text(chat), .text(draft)])
    }

    /// Forgets the draft of a chat: nothing of it stays in the file.
    /// - Returns: whether there was one.
    /// - Throws: `FileError`; `DatabaseError`.
    func forget(_ chat: String) throws -> Bool {
        guard try draft(of: chat) != nil else { return false }
        try connect().run("DELETE FROM drafts WHERE chat = ?", [.text(chat)])
        return true
    }

    private func connect() throws -> Connection {
        // SQLite would make it for everybody to read.
        if !(try fileSystem.exists(path)) { try fileSystem.create(path).close() }
        let passphrase = key.bytes.isEmpty ? try SecretBytes.empty() : try key.bytes.rawKey()
        let connection = try Connection(path, mode: .shared, passphrase: passphrase)
        try connection.execute("PRAGMA busy_timeout = \(Self.patience); PRAGMA secure_delete = ON")
        guard try !Self.isMade(connection) else { return connection }
        try connection.transaction {
            // Another process may have made it meanwhile.
            if try !Self.isMade(connection) { try connection.execute(Self.schema) }
        }
        return connection
    }

    private static func isMade(_ connection: borrowing Connection) throws -> Bool {
        let found = try connection.count("PRAGMA user_version")
        guard found != version else { return true }
        guard found == 0, try !connection.hasRow("SELECT 1 FROM sqlite_master") else {
            throw DatabaseError(
                .unsupported, "no drafts of this version", file: connection.path.string)
        }
        return false
    }

    private static let schema = """
        CREATE TABLE drafts (chat TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """
}
