import FaultInjection
import StoreContract
import SystemPackage
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseRepository
import ValiseSecrets
import ValiseStorage

struct SnapshotTests {
    @Test(arguments: [BackupMetadata.Mode.open, .sealed])
    func `a restored account has the same rows and media`(_ mode: BackupMetadata.Mode) throws {
        let fixture = try BackupFixture()
        let report = try fixture.backUp { $0.mode = mode }
        #expect(report.problems.isEmpty && report.repositoryProblems.isEmpty && report.snapshot != nil)
        #expect(
            report.files.new == 2 + BackupFixture.media.count && report.databases.map(\.mode) == [mode, mode])
        let before = try BackupFixture.rows(fixture.location, RekeyFixture.old)
        let restored = try fixture.restore(report.snapshot)
        let location = AccountLocation(directory: restored.folder, prefix: restored.prefix)
        // A sealed one keeps the passphrase of its day.
        let passphrase = mode == .open ? RekeyFixture.new : RekeyFixture.old
        #expect(try BackupFixture.rows(location, passphrase) == before)
        #expect(restored.databases.allSatisfy(\.isEncrypted) && restored.problems.isEmpty)
        for (name, content) in BackupFixture.media {
            let path = location.filesFolder.appending(name)
            #expect(try fixture.fileSystem.contents(of: path, limit: 1 << 30) == content)
            let here = try #require(try fixture.fileSystem.attributes(of: path))
            let there = try #require(
                try fixture.fileSystem.attributes(of: fixture.location.filesFolder.appending(name)))
            #expect(here.modificationTime == there.modificationTime)
            #expect(here.modificationNanoseconds == there.modificationNanoseconds)
            #expect(here.isPrivateFile)
        }
        #expect(try !fixture.fileSystem.exists(restored.folder.appending(".valise")))
        #expect(try !fixture.fileSystem.exists(restored.folder.appendingSuffix(".partial")))
    }

    @Test func `an account with a passphrase that has to be derived is restored under another one`() throws {
        let old = Array("correct horse battery".utf8)
        let new = Array("another passphrase".utf8)
        let fixture = try BackupFixture(rows: 20, passphrase: old)
        let report = try fixture.backUp(old)
        let restored = try fixture.restore(report.snapshot, new)
        let location = AccountLocation(directory: restored.folder)
        #expect(
            try BackupFixture.rows(location, new) == BackupFixture.rows(fixture.location, old))
        let salts = try [fixture.location, location].map {
            try EncryptedDatabaseFile.salt(of: FileSource($0.path(of: .chat)))
        }
        #expect(salts[0] != salts[1])
    }

    @Test func `an unencrypted account stays one`() throws {
        let fixture = try BackupFixture(rows: 20, passphrase: [])
        let report = try fixture.backUp(nil)
        #expect(report.databases.map(\.mode) == [.unencrypted, .unencrypted])
        let restored = try fixture.restore(report.snapshot, nil)
        #expect(
            try BackupFixture.rows(AccountLocation(directory: restored.folder), [])
                == BackupFixture.rows(fixture.location, []))
        #expect(restored.databases.map(\.isEncrypted) == [false, false])
    }

    @Test(arguments: [BackupMetadata.Mode.open, .sealed])
    func `a second run stores next to nothing`(_ mode: BackupMetadata.Mode) throws {
        let fixture = try BackupFixture()
        let first = try fixture.backUp { $0.mode = mode }
        let second = try fixture.backUp { $0.mode = mode }
        #expect(second.parent == first.snapshot)
        #expect(second.files.new == 0 && second.files.changed == 0)
        #expect(second.files.unchanged == 2 + BackupFixture.media.count)
        // Its own metadata, and the folders above that.
        #expect(second.dataBlobs == 1 && second.treeBlobs == 3)
        #expect(second.databases.allSatisfy { $0.newGroups == 0 })
        #expect(second.folders.unchanged == 1)
        let (_, snapshot) = try fixture.stored(second.snapshot)
        #expect(snapshot.record.summary?[.unchangedFiles] == UInt64(second.files.unchanged))
        #expect(try BackupFixture.check(fixture.reopened()) == 2)
    }

    @Test func `one changed row stores few pages`() throws {
        let fixture = try BackupFixture()
        let first = try fixture.backUp()
        try fixture.changeRow()
        let second = try fixture.backUp()
        let chat = try #require(second.databases.first { $0.database == .chat })
        #expect(chat.pageCount > 50 && (1...4).contains(chat.newGroups))
        #expect(second.files.changed == 1)
        let restored = try fixture.restore(first.snapshot, to: "first")
        let (before, after) = try (
            BackupFixture.rows(AccountLocation(directory: restored.folder), RekeyFixture.new),
            BackupFixture.rows(fixture.location, RekeyFixture.old)
        )
        #expect(before != after)
    }

    @Test func `another passphrase changes no page that is kept open`() throws {
        let fixture = try BackupFixture()
        _ = try fixture.backUp()
        _ = try fixture.account.change()
        let report = try fixture.backUp(RekeyFixture.new)
        #expect(report.databases.map(\.newGroups) == [0, 0])
        #expect(report.dataBlobs == 1)
    }

    @Test func `a snapshot is read as an account`() throws {
        let fixture = try BackupFixture()
        let report = try fixture.backUp()
        let (repository, snapshot) = try fixture.stored(report.snapshot)
        let storage = try SnapshotStorage(repository, snapshot)
        let reader = AccountReader(storage)
        #expect(storage.metadata?.mode == .open && storage.metadata?.prefix == "simplex_v1")
        #expect(try !reader.asksForPassphrase())
        let own = try AccountReader(fixture.location)
        let key = try SecretBytes(copying: RekeyFixture.old)
        for database in AccountDatabase.allCases {
            let here = try reader.connect(database, passphrase: SecretBytes.empty())
            let there = try own.connect(database, passphrase: key)
            #expect(try BackupFixture.rows(here) == BackupFixture.rows(there))
        }
        #expect(
            try reader.entries().entries.map(\.name).sorted() == own.entries().entries.map(\.name).sorted())
        for (name, content) in BackupFixture.media {
            #expect(try reader.media.find(name) == .file(name: name, size: Int64(content.count)))
            let source = try reader.media.source(name)
            #expect(try source.bytes(at: 0, upTo: content.count + 1) == content)
            #expect(try source.bytes(at: 1000, upTo: 50) == Array(content.dropFirst(1000).prefix(50)))
        }
        #expect(try reader.media.find("other") == .missing(name: "other"))
        #expect(try reader.checkContents(only: { _ in true }, progress: { _ in }).isEmpty)
    }

    @Test func `a sealed snapshot asks for the passphrase`() throws {
        let fixture = try BackupFixture(rows: 20)
        let report = try fixture.backUp(nil) { $0.mode = .sealed }
        let (repository, snapshot) = try fixture.stored(report.snapshot)
        let reader = AccountReader(try SnapshotStorage(repository, snapshot))
        #expect(try reader.asksForPassphrase())
        let key = try SecretBytes(copying: RekeyFixture.old)
        #expect(try BackupFixture.rows(reader.connect(.chat, passphrase: key))[3].count == 16)
        #expect(throws: BackupError.self) { _ = try fixture.backUp(nil) }
        #expect {
            _ = try fixture.backUp(RekeyFixture.new)
        } throws: {
            ($0 as? AccountMediaError)?.code == .wrongPassphrase
        }
    }

    @Test func `a dry run writes nothing and tells what would be stored`() throws {
        let memory = MemoryStore()
        let fixture = try BackupFixture(store: memory)
        let before = memory.files
        let dry = try fixture.backUp { $0.isDryRun = true }
        #expect(memory.files == before && dry.snapshot == nil && dry.storedSize == nil)
        let real = try fixture.backUp()
        #expect(dry.dataBlobs == real.dataBlobs && dry.treeBlobs == real.treeBlobs)
        // The metadata says how many snapshots there were, and so on: its length is nearly the same.
        #expect(abs(dry.addedSize - real.addedSize) < 200)
    }

    @Test func `media are cut as restic does, where that is asked for`() throws {
        let fixture = try BackupFixture(rows: 20)
        let options = fixture.options { $0.cutting = .asRestic }
        let reader = try AccountReader(fixture.location)
        let report = try SnapshotWriter(reader, at: fixture.place, in: fixture.repository, options).run(
            passphrase: SecretBytes(copying: RekeyFixture.old))
        let restored = try fixture.restore(report.snapshot)
        let folder = AccountLocation(directory: restored.folder).filesFolder
        for (name, content) in BackupFixture.media {
            #expect(try fixture.fileSystem.contents(of: folder.appending(name), limit: 1 << 30) == content)
        }
    }

    @Test func `a run that is stopped leaves no snapshot and no lock`() throws {
        let memory = MemoryStore()
        let fixture = try BackupFixture(rows: 20, store: memory)
        let reader = try AccountReader(fixture.location)
        let writer = SnapshotWriter(reader, at: fixture.place, in: fixture.repository, fixture.options())
        #expect(throws: Interruption.self) {
            _ = try writer.run(passphrase: SecretBytes(copying: RekeyFixture.old)) {
                if $0.activity == "reading media" { throw Interruption() }
            }
        }
        for case .file(let kind, _) in memory.files.keys { #expect(kind != .snapshots && kind != .locks) }
    }
}
