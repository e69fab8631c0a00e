import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia

/// Each kind of damage, found by the check that is there for it.
struct DamagedArchiveTests {
    // MARK: Databases

    @Test func `a changed page under a right checksum is found by its HMAC`() throws {
        var archive = try VerifiedArchive()
        archive.change(VerifiedArchive.chat) { $0[5 * 4096 + 11] ^= 0x10 }
        let report = try archive.report()
        #expect(report.verdict == .damaged)
        #expect(report.importOutlook == .refused)
        #expect(report.contents?.problemCount == 0)
        #expect(report.chat?.problems.map(\.page) == [6])
        #expect(report.chat?.isWalked == false)
        #expect(report.agent?.isIntact == true && report.agent?.isWalked == true)
        #expect(report.notVerified.contains { $0.subject == .tables && $0.database == .chat })
        // Without the passphrase nobody can know.
        #expect(try archive.verify(key: nil).verdict == .unverified)
    }

    @Test func `the same under the old checksum is found by both`() throws {
        let archive = try VerifiedArchive()
        try archive.write()
        try archive.changeZip { bytes in
            let chat = archive.bytes(of: VerifiedArchive.chat)
            let start = try #require(bytes.position(of: Array(chat[..<64])))
            bytes[start + 7 * 4096 + 100] ^= 1
        }
        let report = try archive.verify()
        #expect(report.verdict == .damaged)
        #expect(report.contents?.problems.map(\.entry) == [VerifiedArchive.chat])
        #expect(report.contents?.problems.map(\.defect) == ["checksum"])
        #expect(report.chat?.problems.map(\.page) == [8])
        #expect(try archive.verify(key: nil).verdict == .damaged)
    }

    @Test func `rows that refer to nothing are damage although every page holds`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(VerifiedArchive.chat, "UPDATE files SET user_id = 4711 WHERE file_id IN (1, 2)")
        let report = try archive.report()
        #expect(report.verdict == .damaged)
        let problem = try #require(report.chat?.problems.first)
        #expect(problem.kind == .reference)
        #expect(problem.rows == 2)
    }

    @Test func `an index that lacks rows is damage`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(
            VerifiedArchive.chat,
            """
            CREATE INDEX half ON files (file_name) WHERE file_id > 5; PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE INDEX half ON files (file_name)' WHERE name = 'half'
            """)
        let report = try archive.report()
        #expect(report.verdict == .damaged)
        #expect(report.chat?.problems.first?.kind == .structure)
    }

    @Test func `databases of two accounts do not belong together`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(VerifiedArchive.agent, "UPDATE users SET user_id = user_id + 100")
        let report = try archive.report()
        #expect(report.verdict == .damaged)
    }

    @Test(arguments: [VerifiedArchive.chat, VerifiedArchive.agent])
    func `a missing database is named, and the rest is still checked`(name: String) throws {
        var archive = try VerifiedArchive()
        archive.remove(name)
        let report = try archive.report()
        #expect(report.verdict == .damaged)
        #expect(report.missing.map(\.archiveName) == [name])
        #expect(report.contents?.files == archive.files.count)
        #expect(report.importOutlook == .refused)
    }

    @Test func `what is no database at all is damage with and without a passphrase`() throws {
        var archive = try VerifiedArchive()
        archive.change(VerifiedArchive.agent) { $0 = Array(repeating: 65, count: 8192) }
        #expect(try archive.report().verdict == .damaged)
        #expect(try archive.verify(key: nil).verdict == .damaged)
    }

    @Test func `a database whose packing is broken is told by its checksum`() throws {
        let archive = try VerifiedArchive(.deflated)
        try archive.write()
        try archive.changeZip { bytes in
            // Far behind the name of the first entry, inside of its data.
            for index in 200_000..<200_040 { bytes[index] ^= 0xff }
        }
        let report = try archive.verify()
        #expect(report.verdict == .damaged)
        #expect(report.contents?.hasDatabaseProblem == true)
    }

    // MARK: Media

    @Test func `a changed encrypted file under a right checksum is found by its tag`() throws {
        var archive = try VerifiedArchive()
        var found = 0
        for name in archive.media {
            var one = try VerifiedArchive()
            one.change(name) { if !$0.isEmpty { $0[$0.count / 2] ^= 1 } }
            archive = one
            let report = try one.report()
            if report.verdict == .intact { continue }
            found += 1
            #expect(report.verdict == .entryProblems)
            #expect(report.contents?.problemCount == 0)
            #expect(report.media?.problems.count == 1)
            if found == 3 { break }
        }
        #expect(found == 3)
    }

    @Test func `a changed plain file is found by its checksum`() throws {
        let archive = try VerifiedArchive()
        try archive.write()
        let name = try #require(archive.media.last)
        try archive.changeZip { bytes in
            let content = archive.bytes(of: name)
            // Several files have this content: it is the one behind the name.
            let header = try #require(bytes.position(of: Array(name.utf8)))
            let start = try #require(bytes.position(of: content, from: header))
            bytes[start + content.count - 1] ^= 0x80
        }
        let report = try archive.verify()
        #expect(report.verdict == .entryProblems)
        #expect(report.contents?.problems.map(\.entry) == [name])
        #expect(report.importOutlook == .ready)
    }

    @Test func `an archive without its media is not damaged`() throws {
        var archive = try VerifiedArchive()
        for name in archive.media { archive.remove(name) }
        let report = try archive.report()
        #expect(report.verdict == .entryProblems)
        #expect(report.importOutlook == .ready)
        #expect(report.media?.count(.missing) == report.mediaProblemCount)
        #expect(report.media?.hasDamage == false)
    }

    @Test func `a file that no message speaks of is noted, and the archive is good`() throws {
        var archive = try VerifiedArchive()
        archive.files.append(("simplex_v1_files/extra.bin", [1, 2, 3]))
        let report = try archive.report()
        #expect(report.verdict == .intact)
        #expect(report.media?.count(.unreferenced) == 1)
    }

    // MARK: The zip file

    @Test func `a cut off archive is refused with its defect`() throws {
        let archive = try VerifiedArchive()
        try archive.write()
        try archive.changeZip { $0.removeLast($0.count / 3) }
        let report = try archive.verify()
        #expect(report.verdict == .damaged)
        #expect(report.structure.refusal?.defect == "endRecordMissing")
        #expect(report.contents == nil && report.chat == nil)
        #expect(report.importOutlook == .refused)
        #expect(report.notVerified.count == 4)
    }

    @Test func `an archive that an import does not support is not called damaged`() throws {
        let archive = try VerifiedArchive()
        try archive.write()
        try archive.changeZip { bytes in
            // The method of the first entry, in both of its headers: 12 is bzip2.
            let central = try #require(bytes.position(of: [0x50, 0x4b, 1, 2]))
            bytes[8] = 12
            bytes[central + 10] = 12
        }
        let report = try archive.verify()
        #expect(report.verdict == .unsupported)
        #expect(report.structure.refusal?.defect == "method")
    }

    @Test func `nothing there is an error, not a verdict`() throws {
        let archive = try VerifiedArchive()
        let error = #expect(throws: FileError.self) { try archive.verify() }
        #expect(error?.code == .notFound)
    }

    @Test func `no flipped bit that changes content is called good`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let archive = try VerifiedArchive()
        try archive.write()
        let whole = try FileSystem().contents(of: archive.path, limit: 1 << 26)
        for _ in 0..<25 {
            let (place, bit) = (
                Int.random(in: 0..<whole.count, using: &random), UInt8.random(in: 0..<8, using: &random)
            )
            try archive.changeZip {
                $0 = whole
                $0[place] ^= 1 << bit
            }
            guard try archive.verify().verdict == .intact else { continue }
            // A time or a version somewhere: every file must be what it was.
            let source = try FileSource(archive.path)
            let index = try ZipIndex(try FileSystem().openForReading(archive.path))
            for file in archive.files {
                var bytes: [UInt8] = []
                let entry = try #require(index.entry(named: file.name), "seed \(seed), byte \(place)")
                try ZipContents(index, source).read(entry) { bytes += $0 }
                #expect(bytes == file.bytes, "seed \(seed), byte \(place)")
            }
        }
    }
}
