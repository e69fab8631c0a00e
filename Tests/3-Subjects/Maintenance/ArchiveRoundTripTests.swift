import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

struct ArchiveRoundTripTests {
    private func mediaAccount(_ marker: String) throws -> AccountFixture {
        let fixture = try AccountFixture(marker: marker)
        for (name, byte) in [("photo ä.jpg", UInt8(1)), ("leer", 0), ("🎉.txt", 2), ("shared.bin", 3)] {
            let bytes = [UInt8](repeating: byte, count: Int(byte) * 50_000)
            try fixture.fileSystem.replace(
                fixture.location.filesFolder.appending(name), with: bytes + Array(marker.utf8))
        }
        try fixture.fileSystem.replace(
            fixture.location.wallpapersFolder.appending("wall.jpg"), with: Array(marker.utf8))
        return fixture
    }

    private func export(
        _ fixture: AccountFixture, to name: String = "a.zip", fileSystem: FileSystem = FileSystem()
    ) throws -> ExportReport {
        try ArchiveExport(fileSystem: fileSystem).export(
            fixture.location, to: fixture.folder.appending(name), passphrase: AccountFixture.key())
    }

    @Test func `what comes in is what went out, byte for byte`() throws {
        let fixture = try mediaAccount("one")
        let report = try export(fixture)
        #expect(report.archiveErrors == [])
        #expect(report.entries == 7)
        let target = AccountLocation(directory: fixture.folder.appending("imported"))
        let imported = try ArchiveImport().import(
            fixture.folder.appending("a.zip"), to: target, passphrase: AccountFixture.key())
        #expect(imported.entries == 7)
        #expect(
            try TemporaryFolder.contents(of: target.directory)
                == TemporaryFolder.contents(of: fixture.location.directory))
    }

    @Test func `the names in the archive are the official ones, whatever the prefix is`() throws {
        let folder = try TemporaryFolder()
        let android = try AccountLocation.place(folder.appending("a"), prefix: "files")
        try AccountCreation().create(android, passphrase: AccountFixture.key())
        try FileSystem().replace(android.filesFolder.appending("x.jpg"), with: [1])
        _ = try ArchiveExport().export(android, to: folder.appending("a.zip"))
        let listing = try ArchiveListing(folder.appending("a.zip"))
        #expect(
            listing.entries.map(\.name) == [
                "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/x.jpg",
            ])
        #expect(listing.isAccount)
        #expect(listing.entries.map(\.method) == ["stored", "stored", "deflated"])
    }

    @Test func `files that cannot go are listed, and the others go`() throws {
        let fixture = try mediaAccount("one")
        let files = fixture.location.filesFolder
        for name in ["a:b.jpg", "nul.txt", "trailing.", "PHOTO Ä.JPG"] {
            try fixture.fileSystem.replace(files.appending(name), with: [1])
        }
        try fixture.fileSystem.makeDirectory(files.appending("folder"))
        let link = files.appending("link")
        #expect(link.withPlatformString { symlink("/etc/passwd", $0) } == 0)
        let component = try #require(FilePath.Component(bytes: [0xff, 0xfe]))
        try fixture.fileSystem.create(files.appending(component)).close()

        let report = try export(fixture)
        let failed = report.archiveErrors.compactMap {
            if case .fileError(let file, _) = $0 { file } else { nil }
        }
        #expect(failed.count == 6)
        #expect(failed.contains("simplex_v1_files/a:b.jpg"))
        // Upper case sorts first: the later one of two names is left out.
        #expect(failed.contains("simplex_v1_files/photo ä.jpg"))
        #expect(report.entries == 7)
        let json = try JSONText.encode(report)
        #expect(json.contains(#""type":"archiveExported""#))
        #expect(json.contains(#"{"file":"simplex_v1_files/a:b.jpg","fileError":""#))
    }

    @Test func `the errors of single entries have the official JSON`() throws {
        let error = ArchiveError.fileError(file: "f", fileError: "e")
        #expect(try JSONText.encode(error) == #"{"file":"f","fileError":"e","type":"fileError"}"#)
        #expect(
            try JSONText.encode(error, sums: .singleField)
                == #"{"_owsf":true,"fileError":{"file":"f","fileError":"e"}}"#)
        #expect(
            try JSONText.encode(ArchiveError.import(importError: "x"))
                == #"{"importError":"x","type":"import"}"#)
        let older = #"{"type":"fileError","file":"f","chatError":"e"}"#
        #expect(try JSONText.decode(ArchiveError.self, from: older) == error)
    }

    @Test func `a hot journal is folded in on a copy, with and without the passphrase`() throws {
        for withPassphrase in [true, false] {
            let fixture = try mediaAccount("committed")
            try HotJournal.leave(fixture.location.path(of: .chat), fixture)
            let before = try TemporaryFolder.contents(of: fixture.location.directory)
            let report = try ArchiveExport().export(
                fixture.location, to: fixture.folder.appending("a.zip"),
                passphrase: withPassphrase ? AccountFixture.key() : nil)
            #expect(report.folded == [.chat])
            #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
            let target = AccountLocation(directory: fixture.folder.appending("imported"))
            _ = try ArchiveImport().import(
                fixture.folder.appending("a.zip"), to: target, passphrase: AccountFixture.key())
            #expect(try AccountFixture.marks(target) == ["committed", "committed"])
            let names = try fixture.fileSystem.list(fixture.folder.path).compactMap(\.name)
            #expect(names == ["a.zip", "account", "imported"])
        }
    }

    @Test func `a journal that is rolled back gives the same reproducible archive each time`() throws {
        let fixture = try mediaAccount("committed")
        try HotJournal.leave(fixture.location.path(of: .chat), fixture)
        for withPassphrase in [true, false] {
            let digests = try (0..<2).map { number in
                let report = try ArchiveExport(.init(isReproducible: true)).export(
                    fixture.location, to: fixture.folder.appending("\(withPassphrase) \(number).zip"),
                    passphrase: withPassphrase ? AccountFixture.key() : nil)
                #expect(report.folded == [.chat] && report.isReproducible == true)
                return report.sha256
            }
            #expect(digests[0] == digests[1], "with passphrase: \(withPassphrase)")
        }
    }

    @Test func `a write-ahead log is folded in`() throws {
        let fixture = try mediaAccount("before")
        let path = fixture.location.path(of: .chat)
        let saved = fixture.folder.appending("wal.db")
        do {
            let connection = try Connection(path, mode: .readWrite, passphrase: AccountFixture.key())
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA wal_autocheckpoint = 0; UPDATE marker SET text = 'in the log'")
            for suffix in ["", "-wal"] {
                try fixture.fileSystem.copy(path.appendingSuffix(suffix), to: saved.appendingSuffix(suffix))
            }
        }
        for suffix in ["", "-wal"] {
            try fixture.fileSystem.rename(saved.appendingSuffix(suffix), to: path.appendingSuffix(suffix))
        }
        #expect {
            try ArchiveExport().export(fixture.location, to: fixture.folder.appending("a.zip"))
        } throws: {
            ($0 as? AccountError)?.code == .wrongPassphrase
        }
        let report = try export(fixture)
        #expect(report.folded == [.chat] && report.isReproducible == nil)
        let reproducible = try ArchiveExport(.init(isReproducible: true)).export(
            fixture.location, to: fixture.folder.appending("b.zip"), passphrase: AccountFixture.key())
        #expect(reproducible.isReproducible == false)
        let target = AccountLocation(directory: fixture.folder.appending("imported"))
        _ = try ArchiveImport().import(fixture.folder.appending("a.zip"), to: target)
        #expect(try AccountFixture.marks(target) == ["in the log", "before"])
        let connection = try Connection(
            target.path(of: .chat), mode: .readOnly, passphrase: AccountFixture.key())
        #expect(try connection.value("PRAGMA journal_mode") == "delete")
    }

    @Test func `an existing archive is refused or replaced whole`() throws {
        let fixture = try mediaAccount("one")
        let archive = fixture.folder.appending("a.zip")
        // As much of an archive as is needed to be taken for one: nothing else is replaced.
        let previous =
            Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [20, 0, 0, 0]
            + Array("simplex_v1_files/old the previous one".utf8)
        try fixture.fileSystem.replace(archive, with: previous)
        #expect { try export(fixture) } throws: { ($0 as? AccountArchiveError)?.code == .alreadyExists }
        let options = ArchiveExport.Options(replacesFile: true)
        var position = 1
        var reached = true
        while reached {
            try fixture.fileSystem.replace(archive, with: previous)
            let plan = FaultPlan(position % 2 == 0 ? .crash : .fail(.noSpace), at: position)
            let result = Result {
                try ArchiveExport(options, fileSystem: FileSystem(interposer: plan)).export(
                    fixture.location, to: archive)
            }
            reached = plan.wasReached
            let isPrevious =
                try fixture.fileSystem.contents(of: archive, limit: 1 << 30) == previous
            if isPrevious {
                #expect(throws: (any Error).self) { try result.get() }
            } else {
                #expect(try ArchiveListing(archive).entries.count == 7)
            }
            // The next export takes over what was left.
            _ = try ArchiveExport(options).export(fixture.location, to: archive)
            let names = try fixture.fileSystem.list(fixture.folder.path).compactMap(\.name)
            #expect(names == ["a.zip", "account"], "operation \(position)")
            position += 1
        }
        #expect(position > 6)
    }

    @Test func `import crashed or out of space at any operation leaves the old account or the new one`()
        throws
    {
        let new = try mediaAccount("new")
        _ = try export(new)
        let old = try mediaAccount("old")
        try old.fileSystem.replace(old.location.filesFolder.appending("mine.txt"), with: [9])
        let template = old.folder.appending("template")
        try TemporaryFolder.copyTree(old.location.directory, to: template)
        let before = try TemporaryFolder.contents(of: template)
        var after = before
        after.merge(try TemporaryFolder.contents(of: new.location.directory)) { $1 }

        let options = ArchiveImport.Options(replacesAccount: true, replacesNewer: true)
        var position = 1
        var reached = true
        var seen: Set<Bool> = []
        while reached {
            for fault in FaultSweep.turn(
                of: [FaultPlan.Fault.crash, .fail(.noSpace), .shortWrite], at: position)
            {
                try old.restore(from: template)
                let plan = FaultPlan(fault, at: position)
                _ = try? ArchiveImport(options, fileSystem: FileSystem(interposer: plan)).import(
                    new.folder.appending("a.zip"), to: old.location, passphrase: AccountFixture.key())
                reached = plan.wasReached
                _ = try AccountWriter(old.location, fileSystem: old.fileSystem)
                let found = try TemporaryFolder.contents(of: old.location.directory)
                #expect(found == before || found == after, "operation \(position), \(fault)")
                seen.insert(found == after)
            }
            position += 1
        }
        #expect(position > 25)
        #expect(seen == [true, false])
    }

    @Test func `an account is not replaced unless that was asked for`() throws {
        let new = try mediaAccount("new")
        _ = try export(new)
        let old = try mediaAccount("old")
        #expect { try ArchiveImport().import(new.folder.appending("a.zip"), to: old.location) } throws: {
            ($0 as? AccountArchiveError)?.code == .alreadyExists
        }
        #expect(try AccountFixture.marks(old.location) == ["old", "old"])
    }

    @Test func `the wrong passphrase changes nothing`() throws {
        let new = try mediaAccount("new")
        _ = try export(new)
        let target = AccountLocation(directory: new.folder.appending("imported"))
        let wrong: SecretBytes? = try SecretBytes(
            copying: Array(("x'" + String(repeating: "00", count: 32) + "'").utf8))
        let result = Result {
            try ArchiveImport().import(new.folder.appending("a.zip"), to: target, passphrase: wrong)
        }
        #expect { try result.get() } throws: { ($0 as? AccountArchiveError)?.code == .wrongPassphrase }
        #expect(try !new.fileSystem.exists(target.directory))
    }

    @Test func `an interrupted export and import leave nothing`() throws {
        let fixture = try mediaAccount("one")
        #expect(throws: Interruption.self) {
            try ArchiveExport().export(fixture.location, to: fixture.folder.appending("b.zip")) { _ in
                throw Interruption()
            }
        }
        _ = try export(fixture)
        let target = AccountLocation(directory: fixture.folder.appending("imported"))
        #expect(throws: Interruption.self) {
            try ArchiveImport().import(fixture.folder.appending("a.zip"), to: target) { _ in
                throw Interruption()
            }
        }
        #expect(try fixture.fileSystem.list(fixture.folder.path).compactMap(\.name) == ["a.zip", "account"])
    }

    @Test func `a folder in the place of a file is an error of that entry`() throws {
        let new = try mediaAccount("new")
        _ = try export(new)
        let target = AccountLocation(directory: new.folder.appending("imported"))
        try new.fileSystem.makeDirectories(target.filesFolder.appending("leer"))
        let report = try ArchiveImport().import(new.folder.appending("a.zip"), to: target)
        #expect(
            report.archiveErrors == [
                .fileError(file: "simplex_v1_files/leer", fileError: "a folder with this name already exists")
            ])
        #expect(report.entries == 6)
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
