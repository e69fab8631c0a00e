import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// What is damaged or missing never enters a snapshot as if it were good.
struct DamagedAccountBackupTests {
    private func damage(_ page: Int64, _ fixture: BackupFixture) throws {
        let file = try fixture.fileSystem.openForUpdating(fixture.location.path(of: .chat))
        let offset = (page - 1) * 4096 + 100
        let byte = try file.bytes(at: offset, count: 1)[0]
        try unsafe [byte ^ 1].withUnsafeBytes { try unsafe file.write($0, at: offset) }
        try file.close()
    }

    @Test(arguments: [BackupMetadata.Mode.open, .sealed])
    func `a damaged page stops the run and is named`(_ mode: BackupMetadata.Mode) throws {
        let fixture = try BackupFixture()
        try damage(5, fixture)
        try damage(9, fixture)
        #expect {
            _ = try fixture.backUp { $0.mode = mode }
        } throws: {
            guard let error = $0 as? PageCipherError else { return false }
            return error.code == .damaged && Array(error.pages.pages) == [5, 9] && error.remedy != nil
        }
        #expect(try fixture.reopened().snapshots { throw $0 }.isEmpty)
    }

    @Test func `a damaged database is kept as it is where that is asked for`() throws {
        let fixture = try BackupFixture()
        try damage(5, fixture)
        let report = try fixture.backUp { $0.keepsDamaged = true }
        #expect(report.isPartial && report.problems.map(\.entry) == ["simplex_v1_chat.db"])
        #expect(report.databases.map(\.mode) == [.sealed, .open])
        let (repository, snapshot) = try fixture.stored(report.snapshot)
        #expect(snapshot.record.tags == ["partial"])
        let metadata = try #require(try SnapshotTree(repository, snapshot).metadata())
        #expect(metadata[.chat]?.damaged.ranges == [5...5] && metadata.problems.count == 1)
        let restored = try fixture.restore(report.snapshot)
        let location = AccountLocation(directory: restored.folder)
        #expect(
            try fixture.fileSystem.contents(of: location.path(of: .chat), limit: 1 << 30)
                == fixture.fileSystem.contents(of: fixture.location.path(of: .chat), limit: 1 << 30))
        #expect(restored.missingInSnapshot == metadata.problems)
    }

    @Test func `media that cannot be read are reported, and the run continues`() throws {
        let fixture = try BackupFixture(rows: 20)
        let refusing = FileSystem(
            interposer: ReadInterposer { path, _ in
                path.lastComponent?.string == "picture.jpg" ? .fail(.ioError) : .proceed
            })
        let report = try fixture.backUp(fileSystem: refusing)
        #expect(report.problems.map(\.entry) == ["simplex_v1_files/picture.jpg"])
        let (repository, snapshot) = try fixture.stored(report.snapshot)
        #expect(snapshot.record.tags == ["partial"])
        #expect(try SnapshotTree(repository, snapshot).metadata()?.problems.count == 1)
        // The next run reads it.
        let next = try fixture.backUp()
        #expect(next.problems.isEmpty && next.files.new == 1)
    }

    @Test func `a missing database is no account`() throws {
        let fixture = try BackupFixture(rows: 20)
        try fixture.fileSystem.remove(fixture.location.path(of: .agent))
        #expect {
            _ = try fixture.backUp()
        } throws: {
            ($0 as? AccountError)?.code == .notFound
        }
    }

    @Test func `links and folders are left out and say so`() throws {
        let fixture = try BackupFixture(rows: 20)
        let folder = fixture.location.filesFolder.appending("folder")
        try fixture.fileSystem.makeDirectory(folder)
        try fixture.fileSystem.replace(folder.appending("a"), with: [1])
        try FileManagerLink.make(fixture.location.filesFolder.appending("link"), to: "small.txt")
        let report = try fixture.backUp()
        #expect(Set(report.leftOut) == ["simplex_v1_files/link", "simplex_v1_files/folder/"])
        #expect(!report.isPartial)
    }
}
