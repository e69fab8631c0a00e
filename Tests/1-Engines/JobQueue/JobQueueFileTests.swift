import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseJobQueue
import ValiseSecrets

/// The database and its key as files: made, damaged, newer, shared, on a disk that fails.
struct JobQueueFileTests {
    private let fixture: QueueFixture
    private let files = FileSystem()

    init() throws { fixture = try QueueFixture() }

    // MARK: Making

    @Test func `only the owner reads the database and what lies beside it`() throws {
        let queue = try fixture.open()
        _ = try queue.add("job")
        let folder = fixture.path.parentFolder
        #expect(try files.mode(folder) == .ownerReadWriteExecute)
        let names = try files.list(folder).compactMap(\.name)
        #expect(names.contains("queue.db") && names.contains("queue.db-wal"))
        for name in names { #expect(try files.mode(folder.appending(name)) == .ownerReadWrite, "\(name)") }
    }

    @Test func `a database that others could read is closed to them`() throws {
        _ = try fixture.open()
        try files.setPermissions([.ownerReadWrite, .groupRead, .otherRead], of: fixture.path)
        _ = try fixture.open()
        #expect(try files.mode(fixture.path) == .ownerReadWrite)
    }

    @Test func `a key that others could read is closed to them, and a link in its place is refused`() throws {
        let folder = fixture.folder.appending("jobs")
        let key = folder.appending("key")
        let job = try JobQueue(inFolder: folder).add("job")
        try files.setPermissions([.ownerReadWrite, .groupRead, .otherRead], of: key)
        #expect(try JobQueue(inFolder: folder).job(job.id) == job)
        #expect(try files.mode(key) == .ownerReadWrite)
        try files.rename(key, to: folder.appending("away"))
        try FileManager.default.createSymbolicLink(
            atPath: key.string, withDestinationPath: folder.appending("away").string)
        #expect(failure { _ = try JobQueue(inFolder: folder) }?.code == .unsupported)
    }

    @Test func `nothing of a job is to be read in the files`() throws {
        let queue = try fixture.open()
        let secret = Array("a title that is easy to find".utf8)
        _ = try queue.add(
            JobRequest(kind: "work", title: String(decoding: secret, as: UTF8.self), queue: .archives))
        let folder = fixture.path.parentFolder
        var bytes = 0
        for name in try files.list(folder).compactMap(\.name) where name != "queue.db-shm" {
            let content = try files.contents(of: folder.appending(name), limit: 1 << 24)
            bytes += content.count
            let isFound = Data(content).range(of: Data(secret)) != nil
            #expect(!isFound, "\(name)")
        }
        #expect(bytes > 10_000)
    }

    @Test func `a folder gets its key, and opens with it again`() throws {
        let folder = fixture.folder.appending("state").appending("jobs")
        let job = try JobQueue(inFolder: folder).add("job")
        #expect(try files.mode(folder.appending("key")) == .ownerReadWrite)
        let key = try files.contents(of: folder.appending("key"), limit: 100)
        #expect(key.count == 32 && Set(key).count > 10)
        #expect(try JobQueue(inFolder: folder).job(job.id) == job)
        let lent = try SecretBytes(copying: key)
        #expect(try JobQueue(folder.appending("queue.db"), key: lent).job(job.id) == job)
        let other = fixture.folder.appending("other")
        _ = try JobQueue(inFolder: other)
        let isSame = try files.contents(of: other.appending("key"), limit: 100) == key
        #expect(!isSame)
    }

    @Test func `several threads make one queue`() async throws {
        let folder = fixture.folder.appending("jobs")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { _ = try JobQueue(inFolder: folder).add("\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try JobQueue(inFolder: folder).counts()[.waiting] == 8)
    }

    @Test func `the embedded scripts are those of the folder, and the way back is one`() throws {
        let folder = Repository.url("Migrations/jobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let migrations = JobQueue.migrations
        #expect(
            names.sorted() == migrations.flatMap { ["\($0.name).down.sql", "\($0.name).up.sql"] }.sorted())
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        for migration in migrations {
            #expect(
                try String(contentsOf: folder.appending(path: "\(migration.name).up.sql"), encoding: .utf8)
                    == migration.up)
            #expect(
                try String(contentsOf: folder.appending(path: "\(migration.name).down.sql"), encoding: .utf8)
                    == migration.down)
            let before = try SchemaSnapshot(connection)
            try connection.execute(migration.up)
            let after = try SchemaSnapshot(connection)
            #expect(before != after)
            try connection.execute(try #require(migration.down))
            #expect(try SchemaSnapshot(connection) == before)
            try connection.execute(migration.up)
        }
    }

    @Test func `an old row whose queue no version knows is damage, not another queue`() throws {
        let queue = try fixture.open()
        let job = try queue.add("job")
        try withConnection { try $0.execute("UPDATE jobs SET queue = 'none'") }
        #expect(failure { _ = try queue.job(job.id) }?.kind == .damaged)
    }

    @Test func `opening a queue writes nothing`() throws {
        let job = try fixture.open().add("job")
        let before = try folderContent()
        #expect(try fixture.open().now(job) == job)
        let isUntouched = try folderContent() == before
        #expect(isUntouched)
    }

    // MARK: What is not ours

    private func withConnection(_ body: (borrowing Connection) throws -> Void) throws {
        try body(try Connection(fixture.path, mode: .readWrite, passphrase: fixture.key.bytes.rawKey()))
    }

    private func folderContent() throws -> [String: [UInt8]?] {
        try TemporaryFolder.contents(of: fixture.path.parentFolder)
    }

    private func expectRefusal(_ kind: JobQueueError.Kind, _ code: FailureCode, _ key: SharedSecret? = nil)
        throws
    {
        let before = try folderContent()
        let found = failure { _ = try JobQueue(fixture.path, key: (key ?? fixture.key).bytes) }
        #expect(
            found?.kind == kind && found?.code == code, "\(found.map { "\($0)" } ?? "nothing was thrown")")
        #expect(found?.message.isEmpty == false && found?.subject == fixture.path.string)
        let after = try folderContent()
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        #expect(
            changed.isEmpty,
            "\(changed.map { "\($0) \(before[$0]??.count ?? -1) \(after[$0]??.count ?? -1)" })")
    }

    @Test func `another key is told apart, and leaves the files as they are`() throws {
        let job = try fixture.open().add("job")
        try expectRefusal(
            .wrongKey, .damaged, SharedSecret(try SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
        #expect(try fixture.open().now(job).title == "job")
    }

    @Test func `a key of another length is refused before anything is made`() throws {
        let short = try SecretBytes(copying: [1, 2, 3])
        #expect(failure { _ = try JobQueue(fixture.path, key: short) }?.code == .invalid)
        #expect(try !files.exists(fixture.path.parentFolder))
    }

    @Test func `a damaged first page is told, and leaves the files as they are`() throws {
        _ = try fixture.open().add("job")
        try flip(at: 100)
        try expectRefusal(.wrongKey, .damaged)
    }

    @Test func `a damaged page inside is told when it is read, and nothing is removed`() throws {
        let queue = try fixture.open()
        for number in 0..<300 { _ = try queue.add("a job with some text \(number)") }
        try withConnection { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        let size = try #require(try files.attributes(of: fixture.path)).size
        for page in 2..<Int64(size / 4096) { try flip(at: page * 4096 + 50) }
        let found = failure {
            let again = try fixture.open(2)
            _ = try again.jobs()
            _ = try again.take()
        }
        #expect(found?.kind == .damaged && found?.code == .damaged)
        #expect(try files.attributes(of: fixture.path)?.size == size)
    }

    private func flip(at offset: Int64) throws {
        let file = try files.openForUpdating(fixture.path)
        let byte = try file.bytes(at: offset, count: 1)
        try [byte[0] ^ 1].withUnsafeBytes { try file.write($0, at: offset) }
    }

    @Test func `a plain database, or text, is not taken for a queue`() throws {
        try files.makeDirectories(fixture.path.parentFolder)
        try files.replace(fixture.path, with: Array(repeating: UInt8(ascii: "x"), count: 5000))
        try expectRefusal(.wrongKey, .damaged)
        try files.remove(fixture.path)
        do {
            let plain = try Connection(fixture.path, mode: .create, passphrase: SecretBytes.empty())
            try plain.execute("CREATE TABLE jobs (x)")
        }
        try files.setPermissions(.ownerReadWrite, of: fixture.path)
        try expectRefusal(.wrongKey, .damaged)
    }

    @Test func `a queue of a newer version is left alone`() throws {
        _ = try fixture.open()
        try withConnection {
            try $0.execute(
                "INSERT INTO migrations (name, ts, down) VALUES ('0099_later', '', 'DROP TABLE jobs')")
        }
        try expectRefusal(.newer, .newer)
    }

    @Test func `another history of migrations is no queue`() throws {
        _ = try fixture.open()
        try withConnection { try $0.execute("UPDATE migrations SET name = '0001_other'") }
        try expectRefusal(.damaged, .unsupported)
    }

    @Test func `a link or a folder in the place of the database is refused`() throws {
        try files.makeDirectories(fixture.path)
        #expect(failure { _ = try fixture.open() }?.code == .unsupported)
        try files.removeDirectory(fixture.path)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path.string, withDestinationPath: fixture.folder.appending("away").string)
        #expect(failure { _ = try fixture.open() }?.code == .unsupported)
        #expect(try !files.exists(fixture.folder.appending("away")))
    }

    @Test func `a database without its key is not given another one`() throws {
        let folder = fixture.folder.appending("jobs")
        _ = try JobQueue(inFolder: folder).add("job")
        let key = folder.appending("key")
        try files.rename(key, to: folder.appending("away"))
        let missing = failure { _ = try JobQueue(inFolder: folder) }
        #expect(missing?.kind == .keyMissing && missing?.remedy == .restoreQueueKey(folder))
        #expect(try !files.exists(key))
        try files.replace(key, with: [1, 2, 3])
        #expect(failure { _ = try JobQueue(inFolder: folder) }?.kind == .damaged)
        try files.rename(folder.appending("away"), to: key)
        #expect(try JobQueue(inFolder: folder).counts()[.waiting] == 1)
    }
}
