import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Bytes of an archive that its directory does not name: what other readers may take for the account.
struct HiddenEntryTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func index(_ zip: ZipForge) throws -> ZipIndex {
        try sandbox.write(zip.bytes, to: "archive.zip")
        return try ZipIndex(try sandbox.fileSystem.openForReading(sandbox.archive))
    }

    /// An account with an entry that only its own header knows.
    private func hiding(at place: Int, _ name: String = "simplex_v1_chat.db") throws -> ZipForge {
        var zip = try Forged.account()
        zip.entries.insert(ForgedEntry(name, [1, 2, 3]).with { $0.isInDirectory = false }, at: place)
        return zip
    }

    @Test(arguments: 0...2)
    func `an entry that the directory does not name is told, and refused unless it is allowed`(place: Int)
        throws
    {
        let index = try index(hiding(at: place))
        #expect(index.hidden.map(\.kind) == [.entry])
        #expect(index.hidden.first?.name == "simplex_v1_chat.db")
        #expect(try ArchiveListing(sandbox.archive).hidden == index.hidden)
        let before = try sandbox.snapshot()
        for operation in [
            { _ = try ArchiveImport().import(sandbox.archive, to: sandbox.target) },
            { _ = try ArchiveImport().plan(sandbox.archive, to: sandbox.target) },
        ] {
            let error = #expect(throws: ZipError.self) { try operation() }
            #expect(error?.defect == .hiddenEntry && error?.code == .unsupported)
        }
        #expect(try sandbox.snapshot() == before)
        let report = try ArchiveImport(.init(allowsHiddenEntries: true)).import(
            sandbox.archive, to: sandbox.target)
        #expect(report.entries == 2 && report.archiveErrors.isEmpty)
        #expect(
            try sandbox.snapshot(of: "home/account")["simplex_v1_chat.db"] == (try Sample.databases[.chat]))
    }

    @Test func `a mark of an end record in the comment is told, however short the comment is`() throws {
        var zip = try Forged.account()
        zip.end.comment = [0x50, 0x4b, 5, 6]
        #expect(try index(zip).hidden.map(\.kind) == [.end])
        zip.end.comment = Array("made on a Tuesday, PK".utf8)
        #expect(try index(zip).hidden.isEmpty)
    }

    @Test func `a mark across the border of two readings is found`() throws {
        for shift in 0..<5 {
            var zip = try Forged.account()
            zip.gap = [UInt8](repeating: 0x50, count: (256 << 10) - shift) + [0x4b, 3, 4]
            #expect(try index(zip).hidden.map(\.kind) == [.entry])
        }
    }

    @Test func `gaps of other bytes and descriptors are no hidden entries`() throws {
        var zip = try Forged.account()
        zip.gap = [UInt8](repeating: 0, count: 70_000) + Array("PK PK".utf8)
        #expect(try index(zip).hidden.isEmpty)
        #expect(try ArchiveImport().import(sandbox.archive, to: sandbox.target).entries == 2)
    }

    @Test func `a name of a hidden entry cannot drive the terminal`() throws {
        let hidden = try index(hiding(at: 0, "a\u{1b}[31m\u{202e}b")).hidden
        #expect(hidden.first?.name == "a\\u{1b}[31m\\u{202e}b")
    }

    // MARK: Flags

    @Test(arguments: 0..<16)
    func `a bit of the flags that is other in the directory is never passed over in silence`(bit: Int) throws
    {
        var zip = try Forged.account()
        zip.entries.append(Forged.media.with { $0.central.flags ^= 1 << bit })
        do {
            let found = try index(zip)
            #expect(found.flagDifferences == ["simplex_v1_files/photo.jpg"])
            #expect([1, 2, 11].contains(bit))
        } catch let error as ZipError {
            #expect(error.defect == ([0, 6, 13].contains(bit) ? .encrypted : .localFlags))
            #expect(![1, 2, 11].contains(bit))
        }
    }

    // MARK: Work

    /// Entries in folders, all of them different.
    private func deep(_ count: Int, depth: Int) throws -> ZipForge {
        var zip = try Forged.account()
        zip.entries += (0..<count).map { number in
            ForgedEntry((1..<depth).map { "d\(number)x\($0)" }.joined(separator: "/") + "/f", [])
        }
        return zip
    }

    @Test func `the work for names grows with their components, not with entries times depth`() throws {
        let (shallow, deep) = (try index(deep(200, depth: 8)), try index(deep(200, depth: 64)))
        #expect(shallow.nameWork <= 2 * 200 * 8 + 10)
        #expect(deep.nameWork <= 2 * 200 * 64 + 10)
        let twice = try index(self.deep(400, depth: 64))
        #expect(twice.nameWork <= 2 * deep.nameWork)
    }

    @Test func `no path is deeper than 64 folders or longer than 4,096 bytes`() throws {
        #expect(throws: Never.self) { try index(deep(1, depth: 64)) }
        #expect(throws: ZipError.self) { try index(deep(1, depth: 65)) }
        let long = [String](repeating: String(repeating: "a", count: 204), count: 20).joined(separator: "/")
        for (more, isTaken) in [(0, false), (4, true)] {
            var zip = try Forged.account()
            zip.entries.append(ForgedEntry(String(long.dropLast(more)), []))
            #expect(((try? index(zip)) != nil) == isTaken)
        }
    }
}
