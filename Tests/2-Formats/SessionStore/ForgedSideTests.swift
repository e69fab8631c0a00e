import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import Testing
import ValiseFiles
import ValisePages

@testable import ValiseSessionStore

/// Logs and journals beside a database that claim what SQLCipher 4.6.1 crashed of, or what SQLite would do harm by.
struct ForgedSideTests {
    private static let story = Story(seed: 93, messages: 40)
    private let folder: TemporaryFolder
    private var profile: FilePath { folder.appending("profile") }
    private var database: FilePath { DesktopBuilder.database(profile) }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func write(isOlderCipher: Bool = false) throws -> [UInt8] {
        try DesktopBuilder(isOlderCipher: isOlderCipher).write(Self.story, to: profile)
        return try FileSystem().contents(of: database, limit: 1 << 24)
    }

    /// The first page of the database with another size of pages, in units of 256 bytes.
    private func forged(_ file: [UInt8], _ size: UInt8) throws -> [UInt8] {
        let pages = try ForgedPages(file, key: DesktopBuilder.key)
        return Array(try pages.changed(at: 16, to: size).prefix(pages.pageSize))
    }

    private func open() throws -> DesktopStore {
        try DesktopProfile(profile).open(password: nil, workFolder: folder.path)
    }

    private func files() throws -> SessionFiles {
        try DesktopProfile(profile).files(password: nil, workFolder: folder.path)
    }

    /// Refused where it is read, named where it is kept.
    private func isRefused(_ suffix: String, _ side: [UInt8], naming text: String) throws {
        try TestFiles.write(side, to: database.appendingSuffix(suffix))
        let error = #expect(throws: SessionStoreError.self) { try open() }
        #expect(error?.kind == .damaged && error?.message.contains(text) == true, "\(error as Any)")
        // Not the name of a private copy.
        #expect(error?.subject == database.string)
        let files = try files()
        #expect(files.damage?.contains(text) == true && !files.facts.isOpened)
    }

    // MARK: Sizes of pages

    @Test(arguments: [2, 4, 0x20] as [UInt8])
    func `a log whose first page claims another size of pages never reaches SQLCipher`(_ size: UInt8) throws {
        let file = try write()
        let log = try ForgedSides.log(forged(file, size), pages: file.count / 4096)
        try isRefused("-wal", log, naming: "in the write-ahead log")
    }

    @Test func `the same where a program may have the database open`() throws {
        let file = try write()
        let log = try ForgedSides.log(forged(file, 2), pages: file.count / 4096)
        try TestFiles.write([], to: database.appendingSuffix("-shm"))
        try TestFiles.write(log, to: database.appendingSuffix("-wal"))
        for use in [{ _ = try open() }, { _ = try files() }] as [() throws -> Void] {
            let error = #expect(throws: SessionStoreError.self) { try use() }
            #expect(error?.kind == .damaged && error?.subject == database.string, "\(error as Any)")
        }
    }

    @Test(arguments: [512, 1024, 8192]) func `a log with pages of another size is refused`(_ size: Int) throws
    {
        let file = try write()
        let log = ForgedSides.log(Array(file.prefix(4096)), pages: file.count / 4096, pageSize: size)
        try isRefused("-wal", log, naming: "the write-ahead log claims pages of another size")
    }

    @Test(arguments: [2, 4, 0x20] as [UInt8])
    func `a journal whose first page claims another size of pages never reaches SQLCipher`(
        _ size: UInt8
    ) throws {
        let file = try write()
        let journal = try ForgedSides.journal(forged(file, size), pages: file.count / 4096)
        try isRefused("-journal", journal, naming: "in the journal")
    }

    /// SQLCipher takes the salt of the page that was put back.
    @Test func `a journal of a database with another salt is looked into`() throws {
        let file = try write()
        let other = folder.appending("other")
        try DesktopBuilder().write(Self.story, to: other)
        let page = try forged(
            FileSystem().contents(of: DesktopBuilder.database(other), limit: 1 << 24), 2)
        #expect(page.prefix(16) != file.prefix(16))
        try isRefused(
            "-journal", ForgedSides.journal(page, pages: file.count / 4096), naming: "in the journal")
    }

    @Test func `a journal with pages of another size is refused`() throws {
        let file = try write()
        let journal = ForgedSides.journal(
            Array(file.prefix(4096)), pages: file.count / 4096, pageSize: 512)
        try isRefused("-journal", journal, naming: "the journal claims pages of another size")
    }

    @Test(arguments: [2, 8, 0x10] as [UInt8])
    func `a database of SQLCipher 3 that claims another size of pages is refused`(_ size: UInt8) throws {
        let file = try write(isOlderCipher: true)
        let pages = try ForgedPages(file, key: DesktopBuilder.key, .format3)
        try TestFiles.write(pages.changed(at: 16, to: size), to: database)
        let error = #expect(throws: SessionStoreError.self) { try open() }
        #expect(error?.kind == .damaged, "\(error as Any)")
        // The forging alone is no reason.
        try TestFiles.write(pages.changed(at: 16, to: 4), to: database)
        try StoryExpectation(story: Self.story, program: .desktop).check(open())
    }

    // MARK: Journals

    /// SQLite removes the file that such a journal names.
    @Test func `a journal that names a file takes nothing away`() throws {
        let file = try write()
        let victim = folder.appending("victim")
        try TestFiles.write("content", to: victim)
        let journal = ForgedSides.journal(
            Array(file.prefix(4096)), pages: file.count / 4096, naming: victim.string)
        try isRefused("-journal", journal, naming: "several databases")
        #expect(try FileSystem().contents(of: victim, limit: 100) == Array("content".utf8))
    }

    /// The state of a program that ended in the midst of a transaction.
    @Test func `a sound database with a journal is kept and read`() throws {
        let file = try write()
        let last = file.count / 4096
        let journal = ForgedSides.journal(Array(file.suffix(4096)), number: UInt32(last), pages: last)
        let torn = Array(file.dropLast(2048)) + [UInt8](repeating: 0x5a, count: 2048)
        try TestFiles.write(torn, to: database)
        try TestFiles.write(journal, to: database.appendingSuffix("-journal"))
        let files = try files()
        #expect(files.damage == nil && files.facts.isOpened && files.facts.messages == 40)
        // As they lie, whatever the proof needed.
        for (name, content) in [("sql/db.sqlite", torn), ("sql/db.sqlite-journal", journal)] {
            let kept = try #require(files[name])
            #expect(try FileSystem().contents(of: kept.path, limit: 1 << 24) == content, "\(name)")
        }
        try StoryExpectation(story: Self.story, program: .desktop).check(open())
    }

    @Test func `damage that a journal does not put back is told`() throws {
        let file = try write()
        let last = file.count / 4096
        let journal = ForgedSides.journal(Array(file.suffix(4096)), number: UInt32(last), pages: last)
        var torn = file
        torn[4096 * (last - 2) + 100] ^= 1
        try TestFiles.write(torn, to: database)
        try TestFiles.write(journal, to: database.appendingSuffix("-journal"))
        let files = try files()
        #expect(files.damage != nil && !files.facts.isOpened)
    }

    // MARK: Checking pages

    /// Pages that no key opens, which come slowly.
    private final class Foreign: ByteSource {
        let size: Int64
        let path: FilePath = "foreign"
        private let pause: Duration

        init(size: Int64, pause: Duration = .zero) { (self.size, self.pause) = (size, pause) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            if buffer.count > 4096 { FileSystem.wait(pause) }
            let count = Int(clamping: min(Int64(buffer.count), max(0, size - offset)))
            for index in 0..<count { buffer[index] = 0x55 }
            return count
        }
    }

    private func key() throws -> SessionDatabaseKey {
        SessionDatabaseKey(try StoreVectors.secret(DesktopBuilder().passphrase))
    }

    @Test func `no more problems are told than asked for`() throws {
        let source = Foreign(size: 4096 * 300 + 7)
        let key = try key()
        #expect(try key.pageProblems(of: source, most: 100) { _ in }.count == 100)
        let all = try key.pageProblems(of: source, most: 1000) { _ in }
        #expect(all.count == 301)
        #expect(all.last == "7 bytes follow the last whole page")
    }

    @Test func `a check of pages can be stopped`() throws {
        struct Stop: Error {}
        let source = Foreign(size: 1 << 30, pause: .milliseconds(60))
        let key = try key()
        let start = ContinuousClock.now
        #expect(throws: Stop.self) {
            try key.pageProblems(of: source, most: 1, workers: 1) { done in if done > 0 { throw Stop() } }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    // MARK: Attachments on another disk

    @Test func `attachments behind a link in place of their folder are kept`() throws {
        try DesktopBuilder().write(Story(seed: 94, messages: 60), to: profile)
        let plain = try files()
        let (place, other) = (DesktopBuilder.attachments(profile), folder.appending("disk"))
        try FileSystem().rename(place, to: other)
        try FileManager.default.createSymbolicLink(
            atPath: place.string, withDestinationPath: other.string)
        let linked = try files()
        #expect(linked.files.map(\.name) == plain.files.map(\.name))
        #expect(linked.facts.attachments == plain.facts.attachments && linked.facts.attachments > 0)
        #expect(linked.leftOut == plain.leftOut)
        let file = try #require(linked.files.first { $0.name.hasPrefix("attachments.noindex/") })
        #expect(try file.open().size == file.size)
    }

    @Test func `other links are named, and not followed`() throws {
        _ = try write()
        let other = folder.appending("disk")
        try FileSystem().makeDirectory(other)
        try TestFiles.write("x", to: other.appending("file"))
        let place = DesktopBuilder.attachments(profile)
        try FileSystem().makeDirectories(place)
        try FileManager.default.createSymbolicLink(
            atPath: place.appending("link").string, withDestinationPath: other.string)
        #expect(try files().leftOut == ["attachments.noindex/link"])
        try FileSystem().removeTree(place)
        try FileManager.default.createSymbolicLink(
            atPath: place.string, withDestinationPath: folder.appending("gone").string)
        #expect(try files().leftOut == ["attachments.noindex"])
    }
}
