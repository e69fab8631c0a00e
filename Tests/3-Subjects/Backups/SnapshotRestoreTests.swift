import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

struct SnapshotRestoreTests {
    @Test func `databases are left unencrypted only where that is asked for`() throws {
        let fixture = try BackupFixture(rows: 20)
        let report = try fixture.backUp()
        #expect(throws: BackupError.self) { _ = try fixture.restore(report.snapshot, nil) }
        #expect(try !fixture.fileSystem.exists(fixture.account.folder.appending("restored")))
        let restored = try fixture.restore(report.snapshot, nil) { $0.databases = .unencrypted }
        #expect(
            try BackupFixture.rows(AccountLocation(directory: restored.folder), [])
                == BackupFixture.rows(fixture.location, RekeyFixture.old))
        #expect(restored.databases.map(\.isEncrypted) == [false, false])
    }

    @Test func `a part is restored, under another prefix`() throws {
        let fixture = try BackupFixture(rows: 20)
        let report = try fixture.backUp()
        let one = try fixture.restore(report.snapshot, to: "one") {
            $0.selection = .databases([.agent])
            $0.prefix = "mine"
        }
        #expect(try fixture.fileSystem.list(one.folder).compactMap(\.name) == ["mine_agent.db"])
        let some = try fixture.restore(report.snapshot, to: "some", nil) {
            $0.selection = .entries { $0.hasSuffix(".txt") }
            $0.prefix = "mine"
        }
        #expect(some.files == 2 && some.databases.isEmpty)
        #expect(
            try fixture.fileSystem.list(some.folder.appending("mine_files")).compactMap(\.name)
                == ["letters.txt", "small.txt"])
        #expect {
            _ = try fixture.restore(report.snapshot, to: "none") { $0.selection = .entries { _ in false } }
        } throws: {
            ($0 as? BackupError)?.code == .notFound
        }
    }

    @Test func `nothing that exists is replaced`() throws {
        let fixture = try BackupFixture(rows: 20)
        let report = try fixture.backUp()
        #expect(throws: (any Error).self) { _ = try fixture.restore(report.snapshot, to: "account") }
        let folder = fixture.account.folder.appending("full")
        try fixture.fileSystem.makeDirectory(folder)
        try fixture.fileSystem.replace(folder.appending("file"), with: [1])
        #expect {
            _ = try fixture.restore(report.snapshot, to: "full")
        } throws: {
            ($0 as? FileError)?.code == .alreadyExists
        }
        #expect(try TemporaryFolder.contents(of: folder) == ["file": [1]])
        // An empty folder is as good as none.
        try fixture.fileSystem.remove(folder.appending("file"))
        _ = try fixture.restore(report.snapshot, to: "full")
    }

    @Test func `a damaged piece stops the restore, or is left out where it is of a file of media`() throws {
        let memory = MemoryStore()
        let fixture = try BackupFixture(rows: 20, store: memory)
        let report = try fixture.backUp()
        let (repository, snapshot) = try fixture.stored(report.snapshot)
        var wanted: ContentID?
        try SnapshotTree(repository, snapshot).forEach { path, node in
            if path == Array("simplex_v1_files/video.mp4".utf8) { wanted = node.content?[1] }
        }
        let (pack, blob) = try repository.place(of: #require(wanted), .data)
        let name = StoredName.file(.data, pack)
        var bytes = try memory.get(name)
        bytes[Int(blob.offset) + 40] ^= 1
        try memory.remove(name)
        try memory.put(name, bytes)
        #expect {
            _ = try fixture.restore(report.snapshot)
        } throws: {
            ($0 as? RepositoryError)?.kind == .damaged
        }
        #expect(
            try fixture.fileSystem.list(fixture.account.folder.path).compactMap(\.name) == ["account"])
        let restored = try fixture.restore(report.snapshot) { $0.skipsDamagedMedia = true }
        #expect(restored.problems.map(\.entry) == ["simplex_v1_files/video.mp4"])
        #expect(restored.files == BackupFixture.media.count - 1)
        let folder = AccountLocation(directory: restored.folder).filesFolder
        #expect(try !fixture.fileSystem.exists(folder.appending("video.mp4")))
    }
}
