import FaultInjection
import Testing
import ValiseBackups
import ValiseRepository
import ValiseSampleAccounts
import ValiseStorage

@testable import Valise

/// An account, and a repository of it in a folder whose password costs nothing.
final class MaintainedRepository: Sendable {
    let folder: TemporaryFolder
    let account: AccountLocation
    let context: OperationContext
    let input: RepositoryInput
    let store: FolderStore

    /// A raw key: nothing here is about how keys are derived, which takes long.
    static let key = Array("x'\(String(repeating: "5a", count: 32))'".utf8)
    static let password = "repository"
    static let day: Int64 = 86_400
    /// When the first snapshot is made.
    static let beginning: Int64 = 1_790_000_000

    init(answering reply: Bool? = true) throws {
        folder = try TemporaryFolder("valise-repository", inMemory: true)
        let directory = try FileSystem().resolve(folder.path).appending("account")
        account = AccountLocation(directory: directory)
        context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: RecordedAnswers(reply))
        try SampleAccount(.init(messages: 60)).build(
            account, passphrase: SecretBytes(copying: Self.key))
        let path = folder.appending("repository")
        store = FolderStore(path)
        _ = try ValiseRepository.Repository.create(
            in: store, password: Self.secret().bytes, ScryptParameters(n: 1024, r: 8, p: 1))
        input = try RepositoryInput(RepositoryPlace(path.string), password: .secret(Self.secret()))
    }

    static func secret() throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(password.utf8)))
    }

    /// Makes a snapshot.
    /// - Parameters:
    ///   - day: when, from 0.
    ///   - nanoseconds: of that second.
    ///   - media: another file that the account gets before.
    @discardableResult
    func backUp(
        day: Int64 = 0, nanoseconds: Int = 0, mode: BackupMetadata.Mode = .open, tags: [String] = [],
        media: [UInt8]? = nil, host: String = LockOwner.systemHostname
    ) throws -> ContentID {
        if let media {
            try FileSystem().replace(account.filesFolder.appending("file\(day)"), with: media)
        }
        var options = SnapshotOptions()
        options.mode = mode
        options.tags = tags
        options.hostname = host
        options.clock = StorageClock(sleep: { _ in })
        options.time = RecordTime(
            seconds: Self.beginning + day * Self.day, nanoseconds: nanoseconds)
        let report = try SnapshotWriter(
            AccountReader(account), at: .folder(account), in: open(), options
        ).run(passphrase: SecretBytes(copying: Self.key))
        return try #require(report.snapshot)
    }

    func open() throws -> ValiseRepository.Repository {
        try ValiseRepository.Repository.open(store, password: Self.secret().bytes)
    }

    func names(_ kind: StoredKind) throws -> Set<ContentID> { Set(try store.list(kind).map(\.id)) }

    func memory() throws -> RepositoryMemory? {
        try RepositoryMemories(context.folders).memory(of: open().config.id)
    }

    /// The file of a pack.
    func path(ofPack pack: ContentID) -> FilePath {
        folder.appending("repository").appending("\(StoredName.file(.data, pack))")
    }

    /// Changes one bit in the middle of a pack.
    func flip(_ pack: ContentID) throws {
        let path = path(ofPack: pack)
        var bytes = try FileSystem().contents(of: path, limit: 1 << 28)
        bytes[bytes.count / 2] ^= 1
        try FileSystem().remove(path)
        try FileSystem().replace(path, with: bytes)
    }

    /// The largest pack, which has data.
    func largestPack() throws -> ContentID {
        try #require(store.list(.data).max { $0.size < $1.size }).id
    }

    /// Bytes that nothing compresses.
    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
