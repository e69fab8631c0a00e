import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Accounts that one passphrase opens, and a repository in a folder whose password costs nothing.
final class BackupRunFixture: Sendable {
    let folder: TemporaryFolder
    let fileSystem = FileSystem()
    private let notes = Mutex<[String]>([])

    /// A raw key: nothing here is about how keys are derived, which takes long.
    static let key = "x'\(String(repeating: "5a", count: 32))'"
    static let password = "repository"

    init() throws {
        folder = try TemporaryFolder("valise-backups", inMemory: true)
        _ = try ValiseRepository.Repository.create(
            in: FolderStore(folder.appending("repository")), password: Self.secret(Self.password).bytes,
            ScryptParameters(n: 1024, r: 8, p: 1))
    }

    static func secret(_ text: String) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(text.utf8)))
    }

    var context: OperationContext {
        OperationContext(folders: ValiseFolders(state: folder.appending("state"))) { [self] event in
            if case .note(let note) = event { notes.withLock { $0.append(note.text) } }
        }
    }

    /// What was noted since it was asked last.
    func takeNotes() -> [String] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }

    @discardableResult
    func account(_ name: String, key: String = key) async throws -> AccountLocation {
        let location = AccountLocation(directory: folder.appending(name))
        _ = try await CreateAccount(location) { try Self.secret(key) }.run(in: OperationContext())
        try fileSystem.makeDirectories(location.filesFolder)
        try fileSystem.replace(
            location.filesFolder.appending("photo.jpg"), with: Array("picture of \(name)".utf8))
        return location
    }

    func input() throws -> RepositoryInput {
        RepositoryInput(
            try RepositoryPlace(folder.appending("repository").string),
            password: .secret(try Self.secret(Self.password)))
    }

    func operation(_ names: String..., key: String? = key) throws -> BackUpAccounts {
        var passphrase = PassphraseSource(try key.map { .secret(try Self.secret($0)) })
        passphrase.usesKeyStores = false
        return BackUpAccounts(
            names.map { BackUpAccounts.Account(folder.appending($0)) }, into: try input(),
            passphrase: passphrase)
    }

    func opened() throws -> ValiseRepository.Repository {
        try ValiseRepository.Repository.open(
            FolderStore(folder.appending("repository")), password: Self.secret(Self.password).bytes)
    }

    func snapshots() throws -> [StoredSnapshot] { try opened().snapshots { throw $0 } }

    func memory() throws -> RepositoryMemory? {
        try RepositoryMemories(context.folders).memory(of: opened().config.id)
    }

    /// As if whoever stored something had been killed before its index.
    func loseIndexes() throws {
        let folder = folder.appending("repository/index")
        for entry in try fileSystem.list(folder) {
            try fileSystem.remove(folder.appending(try #require(entry.name)))
        }
    }

    /// As somebody would who is not this user.
    func remove(_ snapshot: ContentID) throws {
        try fileSystem.remove(folder.appending("repository/snapshots/\(snapshot.text)"))
    }
}
