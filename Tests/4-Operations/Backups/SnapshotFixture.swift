import FaultInjection
import Testing
import ValiseBackups
import ValiseRepository
import ValiseSampleAccounts
import ValiseStorage

@testable import Valise

/// An account with snapshots in a repository in a folder.
final class SnapshotFixture: Sendable {
    let folder: TemporaryFolder
    let fileSystem = FileSystem()

    /// A raw key, which needs no derivation.
    static let key = "x'\(String(repeating: "5a", count: 32))'"
    static let newKey = "x'\(String(repeating: "c3", count: 32))'"

    var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    var place: FilePath { folder.appending("repository") }

    init() throws {
        folder = try TemporaryFolder("valise-snapshots", inMemory: true)
        try SampleAccount(.init(messages: 60, mediaEncryption: .mixed)).build(
            account, passphrase: SecretBytes(copying: Array(Self.key.utf8)))
        _ = try ValiseRepository.Repository.create(
            in: FolderStore(place), password: Self.bytes("repository"), ScryptParameters(n: 1024, r: 8, p: 1))
    }

    static func bytes(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
    static func secret(_ text: String) throws -> SharedSecret { SharedSecret(try bytes(text)) }

    /// Its first eight digits.
    @discardableResult
    func backUp(
        of other: AccountLocation? = nil, _ change: (inout SnapshotOptions) -> Void = { _ in }
    ) throws -> String {
        let location = other ?? account
        var options = SnapshotOptions()
        change(&options)
        let repository = try ValiseRepository.Repository.open(
            FolderStore(place), password: Self.bytes("repository"))
        let report = try SnapshotWriter(
            AccountReader(location), at: .folder(location), in: repository, options
        ).run(passphrase: Self.bytes(Self.key))
        return try #require(report.snapshot).description
    }

    func input() throws -> RepositoryInput {
        RepositoryInput(try RepositoryPlace(place.string), password: .secret(try Self.secret("repository")))
    }

    func context(_ questions: (any Questions)? = nil) -> OperationContext {
        var context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: questions)
        context.repositories = {
            var access = RepositoryAccess()
            access.password = .secret(try Self.secret("repository"))
            return access
        }
        return context
    }

    func source(_ key: String = SnapshotFixture.key) throws -> PassphraseSource {
        var source = PassphraseSource.secret(try Self.secret(key))
        source.usesKeyStores = false
        return source
    }

    func restore(
        _ snapshot: String, to name: String, key: String? = SnapshotFixture.key,
        _ change: (inout RestoreChoice) -> Void = { _ in }
    ) throws -> RestoreSnapshot {
        var source = PassphraseSource()
        source.usesKeyStores = false
        var operation = RestoreSnapshot(
            snapshot, in: try input(), to: folder.appending(name),
            passphrase: try key.map { try self.source($0) } ?? source
        ) { try Self.secret(Self.newKey) }
        change(&operation.options)
        return operation
    }

    func compare(
        _ first: FilePath, _ second: FilePath, _ otherKey: String = SnapshotFixture.key
    ) async throws -> ComparisonReport {
        var operation = CompareAccounts(first, second, passphrase: try source())
        operation.otherPassphrase = .secret(try Self.secret(otherKey))
        return try await operation.run(in: context())
    }

    /// Removes a message and moves a ratchet on, as if the account had been used.
    func use(_ location: AccountLocation) throws {
        let chat = try Connection(
            location.path(of: .chat), mode: .readWrite, passphrase: Self.bytes(Self.key))
        try chat.execute("UPDATE chat_items SET item_text = item_text || '!' WHERE chat_item_id = 3")
        let agent = try Connection(
            location.path(of: .agent), mode: .readWrite, passphrase: Self.bytes(Self.key))
        try agent.execute(
            """
            UPDATE connections SET last_internal_msg_id = last_internal_msg_id + 1,
              last_internal_snd_msg_id = last_internal_snd_msg_id + 1
            """)
    }
}
