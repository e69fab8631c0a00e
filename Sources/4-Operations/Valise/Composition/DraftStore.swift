import SystemPackage
import ValiseAccounts
import ValiseChatLog
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// The drafts of an account, one for each chat: in a file of our own, below the user's state and not beside the account, whose key
/// comes from that of the account (Documentation/formats/drafts.md).
struct DraftStore: Sendable {
    private let path: FilePath
    private let key: SharedSecret
    private let fileSystem: FileSystem

    /// Begins the derivation of its key, so that nobody uses the account's own.
    private static let label = "valise.drafts.1"

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
    /// - Throws: `FileError`; `DatabaseError`; ``OperationError``: `wrongPassphrase` for drafts of an earlier passphrase.
    func draft(of chat: String) throws -> String? {
        guard try fileSystem.exists(path) else { return nil }
        return try open().text(of: chat)
    }

    /// Keeps a draft in the place of the one that was.
    /// - Throws: as `draft(of:)`.
    func keep(_ draft: String, of chat: String) throws { try open().keep(draft, as: chat) }

    /// Forgets the draft of a chat: nothing of it stays in the file.
    /// - Returns: whether there was one.
    /// - Throws: as `draft(of:)`.
    func forget(_ chat: String) throws -> Bool {
        guard try fileSystem.exists(path) else { return false }
        let store = try open()
        guard try store.text(of: chat) != nil else { return false }
        try store.remove(chat)
        return true
    }

    private func open() throws -> TextStore {
        do {
            return try TextStore(path, key: key.bytes, fileSystem: fileSystem)
        } catch let error as DatabaseError where error.code == .wrongPassphrase || error.isNotADatabase {
            throw OperationError(
                .wrongPassphrase,
                "the drafts were kept under another passphrase of this account, or are damaged. The account is intact.",
                subject: path.string, remedy: .moveAway(path))
        }
    }
}
