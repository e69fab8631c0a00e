import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// An account with media, and a repository in memory whose password costs nothing.
final class BackupFixture {
    let account: RekeyFixture
    let store: any BlobStore
    let repository: ValiseRepository.Repository
    private var runs: Int64 = 0

    var location: AccountLocation { account.location }
    var fileSystem: FileSystem { account.fileSystem }
    var place: AccountPlace { .folder(account.location) }

    static let media = [
        "small.txt": Array("words ".utf8), "picture.jpg": noise(40_000, seed: 1),
        "video.mp4": noise(2_300_000, seed: 2),
        "letters.txt": [UInt8](repeating: 0x61, count: 1_200_000), "empty": [],
    ]

    init(rows: Int = 300, passphrase: [UInt8] = RekeyFixture.old, store: any BlobStore = MemoryStore()) throws
    {
        account = try RekeyFixture(passphrase: passphrase, rows: rows)
        self.store = store
        repository = try ValiseRepository.Repository.create(
            in: store, password: Self.password(), ScryptParameters(n: 1024, r: 8, p: 1))
        for (name, content) in Self.media { try addMedia(name, content) }
    }

    static func password() throws -> SecretBytes { try SecretBytes(copying: Array("repository".utf8)) }

    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    func addMedia(_ name: String, _ content: [UInt8]) throws {
        try fileSystem.makeDirectories(location.filesFolder)
        try fileSystem.replace(location.filesFolder.appending(name), with: content)
    }

    /// Options of a run; each is an hour later than the one before.
    func options(_ change: (inout SnapshotOptions) -> Void = { _ in }) -> SnapshotOptions {
        var options = SnapshotOptions()
        options.hostname = "machine"
        options.program = "valise test"
        options.clock = StorageClock(sleep: { _ in })
        runs += 1
        options.time = RecordTime(seconds: 1_790_000_000 + runs * 3600, offset: 7200)
        change(&options)
        return options
    }

    func backUp(
        _ passphrase: [UInt8]? = RekeyFixture.old, into other: ValiseRepository.Repository? = nil,
        fileSystem: FileSystem = FileSystem(), _ change: (inout SnapshotOptions) -> Void = { _ in }
    ) throws -> SnapshotReport {
        let reader = try AccountReader(location, fileSystem: fileSystem)
        let secret: SecretBytes? = try passphrase.map { try SecretBytes(copying: $0) }
        return try SnapshotWriter(reader, at: place, in: other ?? repository, options(change)).run(
            passphrase: secret)
    }

    /// A snapshot by its identifier, in a repository that is opened anew.
    func stored(
        _ id: ContentID?
    ) throws -> (repository: ValiseRepository.Repository, snapshot: StoredSnapshot) {
        let opened = try reopened()
        let all = try opened.snapshots { throw $0 }
        try opened.loadIndex(damaged: { throw $0 })
        return (opened, try #require(all.first { $0.id == id }))
    }

    func reopened(_ other: (any BlobStore)? = nil) throws -> ValiseRepository.Repository {
        try ValiseRepository.Repository.open(other ?? store, password: Self.password())
    }

    func restore(
        _ id: ContentID?, to name: String = "restored", _ passphrase: [UInt8]? = RekeyFixture.new,
        fileSystem: FileSystem = FileSystem(), _ change: (inout RestoreOptions) -> Void = { _ in }
    ) throws -> RestoreReport {
        let (repository, snapshot) = try stored(id)
        var options = RestoreOptions()
        change(&options)
        let secret: SecretBytes? = try passphrase.map { try SecretBytes(copying: $0) }
        return try SnapshotRestore(repository, snapshot, options, fileSystem: fileSystem).run(
            into: account.folder.appending(name), passphrase: secret)
    }

    /// All that is in both databases of an account, which SQLCipher finds sound.
    static func rows(_ location: AccountLocation, _ passphrase: [UInt8]) throws -> [[[Value]]] {
        try AccountDatabase.allCases.flatMap { database in
            let connection = try Connection(
                location.path(of: database), mode: .readOnly, passphrase: SecretBytes(copying: passphrase))
            if !passphrase.isEmpty {
                #expect(try connection.rows("PRAGMA cipher_integrity_check").isEmpty)
            }
            return try rows(connection)
        }
    }

    static func rows(_ connection: borrowing Connection) throws -> [[[Value]]] {
        [
            try connection.rows("PRAGMA integrity_check"), try connection.rows("PRAGMA user_version"),
            try connection.rows("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"),
            try connection.rows("SELECT * FROM filling ORDER BY 1"),
            try connection.rows("SELECT name FROM migrations ORDER BY 1"),
        ]
    }

    /// Changes one row of the chat database.
    func changeRow(_ passphrase: [UInt8] = RekeyFixture.old) throws {
        let connection = try Connection(
            location.path(of: .chat), mode: .readWrite, passphrase: SecretBytes(copying: passphrase))
        try connection.run("UPDATE filling SET text = ? WHERE id = 7", [.text("changed")])
    }

    /// Everything that a snapshot names is there, and what it should be.
    static func check(_ repository: ValiseRepository.Repository) throws -> Int {
        let snapshots = try repository.snapshots { throw $0 }
        try repository.loadIndex(damaged: { throw $0 })
        for snapshot in snapshots {
            try SnapshotTree(repository, snapshot).forEach { _, node in
                for id in node.content ?? [] { _ = try repository.blob(id, .data) }
            }
        }
        return snapshots.count
    }
}
