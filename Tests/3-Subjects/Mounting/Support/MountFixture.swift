import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseFiles
import ValiseRepository
import ValiseSampleAccounts
import ValiseSecrets
import ValiseStorage

@testable import ValiseMounting

/// An encrypted account with encrypted media, an archive of it, and a repository with snapshots of it.
final class MountFixture {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    var archive: FilePath { folder.appending("a.zip") }

    /// A raw key, which needs no derivation.
    static func key() throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
    }

    private static let built = Mutex<AccountLocation?>(nil)

    private static func template() throws -> FilePath {
        try built.withLock { built in
            if let built { return built.directory }
            let folder = try TemporaryFolder.untilExit("valise-mount-template")
            let location = AccountLocation(directory: folder.appending("account"))
            let options = SampleAccount.Options(
                messages: 80, mediaBytes: 4_000_000, mediaEncryption: .encrypted)
            try SampleAccount(options).build(location, passphrase: key())
            built = location
            return location.directory
        }
    }

    init() throws {
        folder = try TemporaryFolder("valise-mount", inMemory: true)
        location = AccountLocation(directory: folder.appending("account"))
        try TemporaryFolder.copyTree(Self.template(), to: location.directory)
    }

    func export() throws {
        _ = try ArchiveExport(.init()).export(location, to: archive, passphrase: Self.key())
    }

    /// A tree of the archive.
    func archiveTree(decrypts: Bool) throws -> ArchiveTree {
        if try !fileSystem.exists(archive) { try export() }
        return try ArchiveTree(archive, passphrase: decrypts ? Self.key() : nil)
    }

    /// What an extraction of the archive writes.
    func extracted(decrypts: Bool) throws -> FilePath {
        let out = folder.appending(decrypts ? "decrypted" : "extracted")
        let extraction = ArchiveExtraction(.init(decryptsMedia: decrypts))
        let report = try extraction.extract(
            archive, to: out, passphrase: decrypts ? Self.key() : nil)
        #expect(report.isComplete)
        return out
    }

    // MARK: Repositories

    let store = MemoryStore()

    func repository() throws -> ValiseRepository.Repository {
        try ValiseRepository.Repository.create(
            in: store, password: SecretBytes(copying: Array("repository".utf8)),
            ScryptParameters(n: 1024, r: 8, p: 1))
    }

    func backUp(
        into repository: ValiseRepository.Repository, host: String, at seconds: Int64
    ) throws -> ContentID {
        var options = SnapshotOptions()
        options.hostname = host
        options.time = RecordTime(seconds: seconds, offset: 3600)
        options.clock = StorageClock(sleep: { _ in })
        let reader = try AccountReader(location)
        let report = try SnapshotWriter(reader, at: .folder(location), in: repository, options)
            .run(passphrase: Self.key())
        return try #require(report.snapshot)
    }
}
