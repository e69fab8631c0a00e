import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseDatabase
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// What other programs make of our snapshots, and what a snapshot is of an account that another program writes to.
struct ResticBackupTests {
    @Test(.enabled(if: OtherProgram.isThere("restic", "sqlite3")))
    func `plain restic checks a snapshot and restores an unencrypted database`() throws {
        try check(.open) { database in
            let sqlite = try #require(OtherProgram("sqlite3"))
            let (status, output) = try sqlite.run(
                [database.string, "PRAGMA integrity_check; SELECT count(*), sum(length(bytes)) FROM filling"])
            #expect(status == 0, "\(output)")
            return output
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("restic", "sqlcipher")))
    func `plain restic restores a sealed database, which sqlcipher opens`() throws {
        try check(.sealed) { database in
            let shell = try #require(OtherProgram("sqlcipher"))
            let key = String(decoding: RekeyFixture.old, as: UTF8.self)
            let (status, output) = try shell.run(
                ["-batch", "-bail", database.string],
                input: """
                    PRAGMA key = "\(key)";
                    PRAGMA cipher_integrity_check;
                    PRAGMA integrity_check;
                    SELECT count(*), sum(length(bytes)) FROM filling;

                    """)
            #expect(status == 0, "\(output)")
            return output
        }
    }

    private func check(_ mode: BackupMetadata.Mode, _ open: (FilePath) throws -> String) throws {
        let folder = try TemporaryFolder()
        let fixture = try BackupFixture(store: FolderStore(folder.appending("repository")))
        _ = try fixture.backUp { $0.mode = mode }
        try fixture.changeRow()
        let report = try fixture.backUp { $0.mode = mode }
        try fixture.fileSystem.replace(
            folder.appending("password"), with: Array("repository".utf8))
        let restic = try #require(OtherProgram("restic"))
        func run(_ arguments: String...) throws -> String {
            let (status, output) = try restic.run(
                [
                    "-r", folder.appending("repository").string, "-p", folder.appending("password").string,
                    "--no-cache",
                ] + arguments)
            #expect(status == 0, "\(arguments): \(output)")
            return output
        }
        let checked = try run("check", "--read-data")
        #expect(checked.contains("no errors were found"), "\(checked)")
        let listed = try run("snapshots")
        #expect(listed.contains(fixture.location.directory.string) && listed.contains("2 snapshots"))
        let id = try #require(report.snapshot)
        _ = try run("restore", id.text, "--target", folder.appending("restored").string)
        let restored = AccountLocation(directory: folder.appending("restored").appending("account"))
        let connection = try Connection(
            fixture.location.path(of: .chat), mode: .readOnly,
            passphrase: SecretBytes(copying: RekeyFixture.old))
        let expected = try connection.rows("SELECT count(*), sum(length(bytes)) FROM filling")[0]
        let output = try open(restored.path(of: .chat))
        let numbers = expected.compactMap { if case .integer(let number) = $0 { "\(number)" } else { nil } }
        #expect(output.contains("ok") && output.contains(numbers.joined(separator: "|")), "\(output)")
        for (name, content) in BackupFixture.media {
            let path = restored.filesFolder.appending(name)
            #expect(try fixture.fileSystem.contents(of: path, limit: 1 << 30) == content)
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `an archive is backed up as an account is`() throws {
        let fixture = try BackupFixture(rows: 100)
        let archive = fixture.account.folder.appending("account.zip")
        let python = try #require(OtherProgram("python3"))
        let names = try fixture.fileSystem.list(fixture.location.directory).compactMap(\.name)
        let (status, output) = try python.run(
            ["-m", "zipfile", "-c", archive.string] + names, in: fixture.location.directory.string)
        #expect(status == 0, "\(output)")
        let first = try fixture.backUp()
        let reader = try AccountReader(.archive(archive))
        let report = try SnapshotWriter(
            reader, at: .archive(archive), in: fixture.repository, fixture.options()
        ).run(passphrase: SecretBytes(copying: RekeyFixture.old))
        // Another place, and the same content.
        #expect(first.parent == nil && report.parent == nil && report.dataBlobs == 1)
        #expect(report.problems.isEmpty && report.files.new == first.files.new)
        let restored = try fixture.restore(report.snapshot)
        #expect(
            try BackupFixture.rows(AccountLocation(directory: restored.folder), RekeyFixture.new)
                == BackupFixture.rows(fixture.location, RekeyFixture.old))
    }

    @Test(.enabled(if: Shell.isThere))
    func `an account that a program writes to is backed up as of one moment`() throws {
        let fixture = try BackupFixture(rows: 100)
        let path = fixture.location.path(of: .chat)
        let key = String(decoding: RekeyFixture.old, as: UTF8.self)
        // Each transaction changes two tables: one alone would tell of a moment that there never was.
        var script =
            "PRAGMA key = \"\(key)\";\n.timeout 20000\nCREATE TABLE tally (number INTEGER);\nINSERT INTO tally VALUES (0);\n"
        for number in 1...400 {
            script +=
                "BEGIN IMMEDIATE; INSERT INTO filling (text, bytes) VALUES ('new \(number)', randomblob(3000)); "
                + "UPDATE tally SET number = number + 1; COMMIT;\n"
        }
        let file = fixture.account.folder.appending("script.sql")
        try fixture.fileSystem.replace(file, with: Array(script.utf8))
        let shell = try #require(OtherProgram("sqlcipher"))
        let writing = BackgroundTask<(status: Int32, output: String)> { _ in
            try shell.run(
                ["-batch", "-bail", path.string], input: ".read \(file)\n.system sleep 2\n")
        }
        FileSystem.wait(.milliseconds(500))
        var reports: [SnapshotReport] = []
        for _ in 0..<3 { reports.append(try fixture.backUp()) }
        let (status, output) = try writing.value()
        #expect(status == 0, "\(output)")
        #expect(reports.contains { $0.holder != nil })
        for report in reports {
            let (repository, snapshot) = try fixture.stored(report.snapshot)
            #expect(snapshot.record.tags == (report.holder == nil ? [] : ["in-use"]))
            let storage = try SnapshotStorage(repository, snapshot)
            #expect(storage.metadata?.isInUse == (report.holder != nil))
            let connection = try AccountReader(storage).connect(.chat, passphrase: SecretBytes.empty())
            #expect(try connection.rows("PRAGMA integrity_check") == [[.text("ok")]])
            guard try connection.hasRow("SELECT 1 FROM sqlite_master WHERE name = 'tally'") else { continue }
            let counted = try connection.count("SELECT count(*) FROM filling WHERE text LIKE 'new %'")
            let noted = try connection.count("SELECT coalesce(max(number), 0) FROM tally")
            #expect(counted == noted)
        }
    }
}
