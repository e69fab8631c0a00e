import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Databases with a write-ahead log, and those that a program is writing to.
struct DatabaseSnapshotTests {
    private let folder: TemporaryFolder
    private var profile: FilePath { folder.appending("profile") }
    private static let story = Story(seed: 8, messages: 60)

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func open(
        _ place: FilePath? = nil, progress: (Int64) throws -> Void = { _ in }
    ) throws -> DesktopStore {
        try DesktopProfile(place ?? profile).open(password: nil, workFolder: folder.path, progress: progress)
    }

    private func count(_ store: DesktopStore) throws -> Int64 {
        try store.conversations { Issue.record($0) }.reduce(0) { $0 + $1.messages }
    }

    @Test func `what waits in the log of a copied profile is read`() throws {
        let copy = folder.appending("copy")
        do {
            let builder = DesktopBuilder()
            try builder.writeConfiguration(profile)
            let connection = try builder.open(profile, Self.story)
            #expect(try FileSystem().attributes(of: DesktopBuilder.database(profile))?.size ?? 0 < 10_000)
            try TemporaryFolder.copyTree(profile, to: copy)
            try connection.execute("DELETE FROM messages")
        }
        // Without the index, as most copies are.
        try FileSystem().remove(DesktopBuilder.database(copy).appendingSuffix("-shm"))
        let before = try TemporaryFolder.contents(of: copy)
        #expect(before.keys.contains("sql/db.sqlite-wal"))
        let store = try open(copy)
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        #expect(try TemporaryFolder.contents(of: copy) == before)
    }

    @Test func `the index of a program that has ended is no obstacle`() throws {
        let copy = folder.appending("copy")
        do {
            let builder = DesktopBuilder()
            try builder.writeConfiguration(profile)
            let connection = try builder.open(profile, Self.story)
            try TemporaryFolder.copyTree(profile, to: copy)
            try connection.execute("DELETE FROM messages")
        }
        let log = try FileSystem().contents(
            of: DesktopBuilder.database(copy).appendingSuffix("-wal"), limit: 1 << 24)
        try StoryExpectation(story: Self.story, program: .desktop).check(open(copy))
        #expect(
            try FileSystem().contents(
                of: DesktopBuilder.database(copy).appendingSuffix("-wal"), limit: 1 << 24)
                == log)
    }

    @Test func `private copies go with their store`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        do {
            let store = try open()
            let names = try FileSystem().list(folder.path).compactMap(\.name)
            let copies = names.filter { $0.hasPrefix(".valise-session-") }
            #expect(copies.count == 1)
            let copy = try #require(try FileSystem().attributes(of: folder.appending(copies.first ?? "")))
            #expect(copy.permissions == .ownerReadWriteExecute)
            #expect(try count(store) == 60)
        }
        #expect(try FileSystem().list(folder.path).compactMap(\.name) == ["profile"])
    }

    @Test func `a failure leaves no copy, and the profile as it was`() throws {
        struct Stop: Error {}
        try DesktopBuilder().write(Self.story, to: profile)
        let before = try TemporaryFolder.contents(of: profile)
        #expect(throws: Stop.self) { try open { _ in throw Stop() } }
        #expect(try FileSystem().list(folder.path).compactMap(\.name) == ["profile"])
        #expect(try TemporaryFolder.contents(of: profile) == before)
    }

    @Test func `a database that never stops changing is in use`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let path = DesktopBuilder.database(profile)
        var attempts = 0
        let error = #expect(throws: SessionStoreError.self) {
            try open { _ in
                attempts += 1
                try TestFiles.write(try FileSystem().contents(of: path, limit: 1 << 24), to: path)
            }
        }
        #expect(error?.kind == .inUse)
        #expect(attempts > 10)
    }

    @Test func `a program that begins while files are copied is noticed`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let index = DesktopBuilder.database(profile).appendingSuffix("-shm")
        var attempts = 0
        let store = try open { _ in
            attempts += 1
            if attempts == 1 { try TestFiles.write([], to: index) }
            if attempts == 2 { try FileSystem().remove(index) }
        }
        #expect(attempts > 2)
        #expect(try count(store) == 60)
    }

    @Test func `the free space is checked before anything is copied`() throws {
        struct Full: FileInterposer {
            func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
            func freeSpace(_ space: Int64) -> Int64 { 1 << 20 }
        }
        try DesktopBuilder().write(Self.story, to: profile)
        let full = try DesktopProfile(profile, fileSystem: FileSystem(interposer: Full()))
        let error = #expect(throws: FileError.self) { try full.open(password: nil, workFolder: folder.path) }
        #expect(error?.code == .noSpace)
    }

    // MARK: A program that runs

    /// sqlcipher with the database open, which does what it is given.
    private final class Running {
        private let process = Process()
        private let input = Pipe.uninherited()
        private let output = Pipe.uninherited()

        init(_ program: OtherProgram, _ path: FilePath) throws {
            process.executableURL = URL(filePath: program.path)
            process.arguments = [path.string]
            process.standardInput = input
            process.standardOutput = output
            try process.start()
            try run("PRAGMA key = \"x'\(DesktopBuilder.key)'\";")
        }

        /// Runs a statement to its end.
        func run(_ sql: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\nSELECT 'do' || 'ne';\n".utf8))
            var text = ""
            while !text.contains("done\n") {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
                text += String(decoding: data, as: UTF8.self)
            }
        }

        func write(_ sql: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n".utf8))
        }

        func end() throws {
            try input.fileHandleForWriting.close()
            while !output.fileHandleForReading.availableData.isEmpty {}
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("sqlcipher")))
    func `what a running program has committed is read, and nothing else`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let program = try Running(try #require(OtherProgram("sqlcipher")), DesktopBuilder.database(profile))
        try program.run("INSERT INTO messages (id, conversationId, json) VALUES ('new', 'x', '{}');")
        let log = DesktopBuilder.database(profile).appendingSuffix("-wal")
        #expect(try FileSystem().attributes(of: log)?.size ?? 0 > 0)
        let store = try open()
        #expect(try count(store) == 61)
        // In the midst of a transaction.
        try program.run("BEGIN; DELETE FROM messages;")
        #expect(try count(open()) == 61)
        try program.run("COMMIT;")
        #expect(try count(open()) == 0)
        // What was opened before is as it was.
        #expect(try count(store) == 61)
        try program.run("PRAGMA wal_checkpoint(TRUNCATE);")
        #expect(try count(open()) == 0)
        try program.run("INSERT INTO messages (id, conversationId, json) VALUES ('last', 'x', '{}');")
        try program.end()
        #expect(try count(open()) == 1)
    }

    @Test(.enabled(if: OtherProgram.isThere("sqlcipher")))
    func `a program that writes without a pause is read in one of its states`() throws {
        try DesktopBuilder(more: [
            "CREATE TABLE pair (a INTEGER, b INTEGER)", "INSERT INTO pair VALUES (0, 0)",
        ])
        .write(Self.story, to: profile)
        let path = DesktopBuilder.database(profile)
        let program = try Running(try #require(OtherProgram("sqlcipher")), path)
        // Each transaction writes to many pages, and moves one message; checkpoints come between.
        try program.run("PRAGMA wal_autocheckpoint = 20; PRAGMA synchronous = OFF;")
        let original = Set(Self.story.messages.map(\.lifetime))
        for number in 1...150 {
            try program.write(
                """
                BEGIN; UPDATE messages SET body = body || 'x'; UPDATE messages SET expireTimer = \(number);
                UPDATE pair SET a = \(number), b = \(number); COMMIT;
                """)
            guard number % 10 == 0 else { continue }
            let store = try open()
            var lifetimes: Set<Int64?> = []
            for chat in Self.story.chats {
                try store.forEachMessage(of: chat.id, newest: nil, damaged: { Issue.record($0) }) { message in
                    lifetimes.insert(message.expiry?.lifetime)
                }
            }
            // One state: every message has the number of the same transaction, or its own from before the first.
            #expect(lifetimes.count == 1 || lifetimes == original, "\(lifetimes)")
            #expect(try count(store) == 60)
        }
        try program.end()
        #expect(try count(open()) == 60)
    }

    // MARK: Byte for byte

    /// Database and log, as they were copied, in a folder of their own.
    private func pair(_ files: SessionFiles, _ name: String) throws -> FilePath {
        let target = folder.appending(name)
        for file in files.files where file.isOfDatabase {
            try TestFiles.write(
                try FileSystem().contents(of: file.path, limit: 1 << 24),
                to: target.pushing(FilePath(file.name)))
        }
        return DesktopBuilder.database(target)
    }

    private func connect(_ path: FilePath) throws -> Connection {
        try Connection(
            path, mode: .readOnly, passphrase: SecretBytes(copying: Array(DesktopBuilder().passphrase.utf8)))
    }

    @Test(.enabled(if: OtherProgram.isThere("sqlcipher")))
    func `the files of a program that writes without a pause are one state`() throws {
        try DesktopBuilder(more: [
            "CREATE TABLE pair (a INTEGER, b INTEGER)", "INSERT INTO pair VALUES (0, 0)",
        ])
        .write(Self.story, to: profile)
        let path = DesktopBuilder.database(profile)
        let program = try Running(try #require(OtherProgram("sqlcipher")), path)
        try program.run("PRAGMA wal_autocheckpoint = 20; PRAGMA synchronous = OFF;")
        var last: Int64 = 0
        for number in 1...100 {
            try program.write(
                """
                BEGIN; UPDATE messages SET body = body || 'x'; UPDATE pair SET a = \(number);
                INSERT INTO items VALUES ('item \(number)', '{}'); UPDATE pair SET b = \(number); COMMIT;
                """)
            guard number % 10 == 0 else { continue }
            let files = try DesktopProfile(profile).files(password: nil, workFolder: folder.path)
            #expect(files.damage == nil && files.facts.isOpened && files.facts.messages == 60)
            let connection = try connect(pair(files, "pair\(number)"))
            #expect(try connection.rows("PRAGMA cipher_integrity_check").isEmpty)
            #expect(try connection.rows("PRAGMA integrity_check") == [[.text("ok")]])
            let row = try #require(try connection.rows("SELECT a, b FROM pair").first)
            let items = try connection.count("SELECT count(*) FROM items WHERE id LIKE 'item %'")
            #expect(row[0] == row[1] && row[0] == .integer(items))
            // What was committed does not go, and nothing comes that was not written.
            #expect(items >= last && items <= number)
            last = items
        }
        #expect(last > 0)
        try program.end()
    }

    @Test func `the proof changes no byte of the copy`() throws {
        let copy = folder.appending("copy")
        do {
            let builder = DesktopBuilder()
            try builder.writeConfiguration(profile)
            let connection = try builder.open(profile, Self.story)
            try TemporaryFolder.copyTree(profile, to: copy)
            try connection.execute("DELETE FROM messages")
        }
        try FileSystem().remove(DesktopBuilder.database(copy).appendingSuffix("-shm"))
        let before = try TemporaryFolder.contents(of: copy)
        let files = try DesktopProfile(copy).files(password: nil, workFolder: folder.path)
        #expect(files.facts.isOpened && files.facts.messages == 60)
        #expect(Set(files.files.map(\.name)) == Set(before.keys.filter { !$0.hasSuffix("/") }))
        for file in files.files {
            #expect(
                try FileSystem().contents(of: file.path, limit: 1 << 24) == before[file.name], "\(file.name)")
        }
        #expect(try TemporaryFolder.contents(of: copy) == before)
    }
}
