import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

struct RekeyTests {
    @Test(arguments: [
        (RekeyFixture.old, RekeyFixture.new, RekeyConversion.rekey), ([], RekeyFixture.new, .encrypt),
        (RekeyFixture.old, [], .decrypt),
    ])
    func `the content stays what it was, and SQLCipher opens it with the new passphrase alone`(
        old: [UInt8], new: [UInt8], conversion: RekeyConversion
    ) throws {
        let fixture = try RekeyFixture(passphrase: old)
        let before = try fixture.dump(old)
        #expect(before.count > 10 && before[0] == [[.integer(77)]] && before[1] == [[.integer(1)]])
        let report = try fixture.change(from: old, to: new)
        #expect(report.changed && report.plan.conversion == conversion)
        #expect(try fixture.dump(new) == before)
        #expect(fixture.opening([old]) == [nil, nil])
        for (name, _) in try fixture.bytes() {
            #expect(!name.contains(".bak") && !name.contains(".valise"), "\(name) was left")
        }
        for database in AccountDatabase.allCases {
            let mode = try fixture.fileSystem.attributes(of: fixture.location.path(of: database))?.permissions
            #expect(mode == .ownerReadWrite)
        }
    }

    static let passphrases: [(String, [UInt8])] = [
        ("one byte", Array("a".utf8)), ("ten kibibytes", [UInt8](repeating: UInt8(ascii: "k"), count: 10240)),
        ("quotes", Array(#"it's "quoted" \ `so`;--"#.utf8)), ("line breaks", Array("two\nlines\r\n".utf8)),
        ("NFC", Array("caf\u{e9} \u{1f600}".utf8)), ("NFD", Array("cafe\u{301} \u{1f600}".utf8)),
        ("invalid UTF-8", [0xff, 0xfe, 0x80, 0x41]), ("spaces", Array("  ".utf8)),
        ("raw key", RekeyFixture.rawKey("7f")), ("raw key in capitals", RekeyFixture.rawKey("7F")),
        ("raw key with salt", RekeyFixture.rawKey("7f", count: 48)),
        ("nearly a raw key", RekeyFixture.rawKey("7f", count: 31)),
        ("a raw key's length", Array("x'".utf8) + [UInt8](repeating: UInt8(ascii: "g"), count: 64) + [39]),
        ("a raw key without its end", RekeyFixture.rawKey("7f").dropLast() + [UInt8(ascii: "!")]),
    ]

    @Test(arguments: FaultSweep.few(of: passphrases))
    func `any passphrase can be set and taken away again`(_ name: String, _ passphrase: [UInt8]) throws {
        let fixture = try RekeyFixture(rows: 3)
        let before = try fixture.dump(RekeyFixture.old)
        _ = try fixture.change(to: passphrase)
        #expect(try fixture.dump(passphrase) == before)
        _ = try fixture.change(from: passphrase, to: RekeyFixture.new)
        #expect(try fixture.dump(RekeyFixture.new) == before)
    }

    @Test func `composed and decomposed letters are different passphrases`() throws {
        let fixture = try RekeyFixture(rows: 3)
        _ = try fixture.change(to: Array("caf\u{e9}".utf8))
        let error = #expect(throws: RekeyError.self) {
            try fixture.change(from: Array("cafe\u{301}".utf8))
        }
        #expect(error?.code == .wrongPassphrase)
    }

    @Test func `a passphrase that is wrong for both databases is said of the account, not of one of them`()
        throws
    {
        let fixture = try RekeyFixture(rows: 3)
        for _ in 0..<4 {
            let error = #expect(throws: RekeyError.self) { try fixture.change(from: RekeyFixture.new) }
            #expect(error?.path == fixture.location.directory)
            #expect(error?.message == "wrong passphrase. Nothing was changed.")
        }
    }

    @Test func `a NUL byte is refused`() throws {
        let error = #expect(throws: RekeyError.self) { try RekeyFixture(rows: 1).change(to: [65, 0, 66]) }
        #expect(error?.code == .invalid)
    }

    // MARK: Official errors

    @Test func `errors have the official form`() throws {
        let fixture = try RekeyFixture(rows: 3)
        let before = try fixture.bytes()
        func official(_ old: [UInt8]) throws -> DatabaseEncryptionError? {
            #expect(throws: RekeyError.self) { try fixture.change(from: old) }?.official
        }
        #expect(try official([]) == .errorEncrypted)
        #expect(try official(RekeyFixture.new) == .errorExport(sqliteError: .errorNotADatabase))
        #expect(try fixture.bytes() == before)
        let plain = try RekeyFixture(passphrase: [], rows: 3)
        let error = #expect(throws: RekeyError.self) { try plain.change() }
        #expect(error?.official == .errorPlaintext && error?.code == .wrongPassphrase)
        let agent = fixture.location.path(of: .agent)
        try fixture.fileSystem.remove(agent)
        #expect(try official(RekeyFixture.old) == .errorNoFile(dbFile: agent.string))
    }

    @Test func `the same passphrase changes nothing, once it is proved`() throws {
        let fixture = try RekeyFixture(rows: 3)
        let before = try fixture.bytes()
        #expect(try !fixture.change(to: RekeyFixture.old).changed)
        #expect(try fixture.bytes() == before)
        #expect(throws: RekeyError.self) {
            try fixture.change(from: RekeyFixture.new, to: RekeyFixture.new)
        }
    }

    @Test func `a dry run checks every page and changes nothing`() throws {
        let fixture = try RekeyFixture()
        let before = try fixture.bytes()
        #expect(try !fixture.change(dryRun: true).changed)
        #expect(try fixture.bytes() == before)
        try fixture.damage(.agent) { $0[4096 * 9 + 50] ^= 1 }
        #expect(throws: PageCipherError.self) { try fixture.change(dryRun: true) }
    }

    // MARK: Backups

    @Test func `kept backups open with the previous passphrase, and are not overwritten`() throws {
        let fixture = try RekeyFixture(rows: 3)
        #expect(try fixture.change(keepsBackup: true).keepsBackup)
        for database in AccountDatabase.allCases {
            let copy = fixture.location.path(of: database).appendingSuffix(".bak")
            _ = try Connection(copy, mode: .readOnly, passphrase: SecretBytes(copying: RekeyFixture.old))
        }
        let before = try fixture.bytes()
        let error = #expect(throws: RekeyError.self) {
            try fixture.change(from: RekeyFixture.new, to: RekeyFixture.old, keepsBackup: true)
        }
        #expect(error?.code == .alreadyExists)
        #expect(error.map { $0.remedy == .moveAway($0.path) } == true)
        #expect(try fixture.bytes() == before)
        let report = try fixture.change(from: RekeyFixture.new, to: RekeyFixture.old)
        #expect(report.plan.olderCopies.sorted() == ["simplex_v1_agent.db.bak", "simplex_v1_chat.db.bak"])
    }

    // MARK: Damage

    struct Damage: CustomTestStringConvertible {
        let testDescription: String
        let pages: [UInt32]
        let make: @Sendable (inout [UInt8]) -> Void
    }

    static let damages = [
        Damage(testDescription: "a flipped bit", pages: [8]) { $0[7 * 4096 + 1234] ^= 4 },
        Damage(testDescription: "a flipped bit of an IV", pages: [8]) { $0[8 * 4096 - 70] ^= 1 },
        Damage(testDescription: "a flipped bit of an HMAC", pages: [8]) { $0[8 * 4096 - 1] ^= 128 },
        Damage(testDescription: "swapped pages", pages: [5, 6]) { bytes in
            let page = Array(bytes[4 * 4096..<5 * 4096])
            bytes.replaceSubrange(4 * 4096..<5 * 4096, with: bytes[5 * 4096..<6 * 4096])
            bytes.replaceSubrange(5 * 4096..<6 * 4096, with: page)
        },
        Damage(testDescription: "a repeated page", pages: [9]) { bytes in
            bytes.replaceSubrange(8 * 4096..<9 * 4096, with: bytes[3 * 4096..<4 * 4096])
        },
        Damage(testDescription: "a page of zeros in use", pages: [4]) { bytes in
            bytes.replaceSubrange(3 * 4096..<4 * 4096, with: [UInt8](repeating: 0, count: 4096))
        },
    ]

    @Test(arguments: damages, AccountDatabase.allCases)
    func `a damaged page stops the change and is named`(
        damage: Damage, database: AccountDatabase
    ) throws {
        let fixture = try RekeyFixture()
        try fixture.damage(database, damage.make)
        let before = try fixture.bytes()
        let error = #expect(throws: PageCipherError.self) { try fixture.change() }
        #expect(error?.code == .damaged && error?.pages == PageSet(damage.pages))
        #expect(error?.file == fixture.location.path(of: database).string)
        #expect(try fixture.bytes() == before)
        #expect(throws: PageCipherError.self) { try fixture.change(to: []) }
        #expect(try fixture.bytes() == before)
    }

    /// `VALISE_SEED` repeats the flips of an earlier run; `VALISE_SOAK` tries 200.
    @Test func `any flipped bit is found, its page is named, and nothing changes`() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["VALISE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
        print("seed of the flipped bits: \(seed)")
        var random = SeededGenerator(seed: seed)
        let fixture = try RekeyFixture(rows: 60)
        for _ in 0..<(environment["VALISE_SOAK"] == nil ? 25 : 200) {
            let database: AccountDatabase = Bool.random(using: &random) ? .chat : .agent
            let path = fixture.location.path(of: database)
            let size = try #require(try fixture.fileSystem.attributes(of: path)?.size)
            // Behind the salt: without that no page holds, and only "wrong passphrase" can be said.
            let bit = Int.random(in: 16 * 8..<Int(size) * 8, using: &random)
            let flip = { (bytes: inout [UInt8]) in bytes[bit / 8] ^= 1 << (bit % 8) }
            try fixture.damage(database, flip)
            let before = try fixture.bytes()
            let page = UInt32(bit / 8 / 4096) + 1
            let error = #expect(throws: (any Error).self) { try fixture.change() }
            #expect((error as? any Failure)?.code == .damaged, "bit \(bit) of \(database)")
            if page > 1 { #expect((error as? PageCipherError)?.pages == PageSet([page])) }
            #expect(try fixture.bytes() == before)
            try fixture.damage(database, flip)
        }
        #expect(try fixture.change().changed)
    }

    @Test func `a page of the other database is foreign`() throws {
        let fixture = try RekeyFixture()
        let foreign = try fixture.fileSystem.contents(of: fixture.location.path(of: .agent), limit: 1 << 30)
        try fixture.damage(.chat) {
            $0.replaceSubrange(4 * 4096..<5 * 4096, with: foreign[4 * 4096..<5 * 4096])
        }
        #expect(#expect(throws: PageCipherError.self) { try fixture.change() }?.pages == PageSet([5]))
    }

    @Test(arguments: [1, 100, 4095])
    func `a file that is cut off is told`(rest: Int) throws {
        let fixture = try RekeyFixture()
        try fixture.damage(.chat) { $0.removeLast(4096 - rest) }
        let before = try fixture.bytes()
        let error = #expect(throws: (any Error).self) { try fixture.change() } as? any Failure
        #expect(error?.code == .damaged)
        #expect(try fixture.bytes() == before)
    }

    @Test func `a damaged first page is told from a wrong passphrase`() throws {
        let fixture = try RekeyFixture()
        try fixture.damage(.chat) { $0[1000] ^= 1 }
        #expect(#expect(throws: RekeyError.self) { try fixture.change() }?.code == .damaged)
        try fixture.damage(.chat) {
            $0.replaceSubrange(16..<4096, with: [UInt8](repeating: 0, count: 4080))
        }
        #expect(#expect(throws: RekeyError.self) { try fixture.change() }?.code == .damaged)
    }

    /// SQLite leaves such a page where it freed one before it was ever written.
    @Test func `a free page of zeros is no damage`() throws {
        let fixture = try RekeyFixture()
        let path = fixture.location.path(of: .chat)
        let key = try SecretBytes(copying: RekeyFixture.old)
        do {
            let connection = try Connection(path, mode: .readWrite, passphrase: key)
            try connection.execute("PRAGMA auto_vacuum = NONE; VACUUM; DELETE FROM filling WHERE id < 200")
            #expect(try connection.value("PRAGMA freelist_count") != .integer(0))
        }
        let source = try FileSource(path)
        let file = try EncryptedDatabaseFile(
            source, settings: .format4,
            key: CipherKey(
                passphrase: key, salt: EncryptedDatabaseFile.salt(of: source), settings: .format4))
        let leaf = try file.reader().withPage(1) { _, head -> UInt32 in
            let trunk = UInt32(bigEndian: head.loadUnaligned(fromByteOffset: 32, as: UInt32.self))
            return try file.reader().withPage(trunk) { _, page in
                UInt32(bigEndian: page.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            }
        }
        try fixture.damage(.chat) { bytes in
            let start = (Int(leaf) - 1) * 4096
            bytes.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
        }
        #expect(try fixture.change().changed)
        _ = try fixture.dump(RekeyFixture.new)
    }

    // MARK: Reading back

    /// The disk or the memory changes a bit of a new database after it was written and flushed.
    @Test(
        arguments: AccountDatabase.allCases, [(RekeyFixture.old, RekeyFixture.new), ([], RekeyFixture.new)])
    func `a new database that is not as it was written never takes a place`(
        database: AccountDatabase, keys: (old: [UInt8], new: [UInt8])
    ) throws {
        for place in [20, 4090, 5 * 4096 + 1234] {
            let fixture = try RekeyFixture(passphrase: keys.old)
            let before = try fixture.bytes()
            let staged = "simplex_v1_\(database.rawValue).db"
            let isDone = Mutex(false)
            let interposer = ReadInterposer { path, count in
                guard count > 0, path.string.hasSuffix("new/\(staged)") else { return .proceed }
                let isFirst = isDone.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                guard isFirst else { return .proceed }
                do {
                    let file = try FileSystem().openForUpdating(path)
                    let bytes = try file.bytes(at: Int64(place), count: 1)
                    try [bytes[0] ^ 8].withUnsafeBytes { try file.write($0, at: Int64(place)) }
                    try file.synchronize()
                } catch {
                    return .fail(.ioError)
                }
                return .proceed
            }
            let error = #expect(throws: RekeyError.self) {
                try fixture.change(
                    from: keys.old, to: keys.new, fileSystem: FileSystem(interposer: interposer))
            }
            #expect(error?.message.contains("differs from what was written") == true, "\(place)")
            #expect(try fixture.bytes() == before)
        }
    }

    // MARK: Later work

    /// The operation is decided, nothing is in place yet, and somebody uses the account.
    @Test func `work after a crash is never overwritten by what was decided before`() throws {
        let fixture = try RekeyFixture(rows: 2)
        let template = fixture.folder.appending("template")
        try TemporaryFolder.copyTree(fixture.location.directory, to: template)
        let journal = fixture.location.directory.appending(".valise-simplex_v1").appending("journal.json")
        var tried: Set<[UInt8]> = []
        var position = 1
        var reached = true
        while reached {
            try fixture.fileSystem.removeTree(fixture.location.directory)
            try TemporaryFolder.copyTree(template, to: fixture.location.directory)
            let plan = FaultPlan(.crash, at: position)
            _ = try? fixture.change(fileSystem: FileSystem(interposer: plan))
            reached = plan.wasReached
            position += 1
            guard try fixture.fileSystem.exists(journal) else { continue }
            let opened = fixture.opening([RekeyFixture.old, RekeyFixture.new])
            let key = try #require(opened[1])
            do {
                let connection = try Connection(
                    fixture.location.path(of: .agent), mode: .readWrite, passphrase: SecretBytes(copying: key)
                )
                try connection.execute("INSERT INTO filling VALUES (4711, 'later work', NULL)")
            }
            _ = try AccountWriter(fixture.location, fileSystem: FileSystem()).recovery
            try #require(try hasLaterWork(fixture), "lost after a crash at \(position - 1)")
            tried.insert(key)
        }
        #expect(tried.count == 2, "the account was used before and after the databases were in place")
    }

    /// In place, or in what is kept for a rollback where the other database was exchanged already.
    private func hasLaterWork(_ fixture: RekeyFixture) throws -> Bool {
        let kept = fixture.location.directory.appending(".valise-simplex_v1").appending("backup")
            .appending("simplex_v1_agent.db")
        for path in [fixture.location.path(of: .agent), kept] where try fixture.fileSystem.exists(path) {
            for key in [RekeyFixture.old, RekeyFixture.new] {
                guard
                    let connection = try? Connection(
                        path, mode: .readOnly, passphrase: SecretBytes(copying: key))
                else { continue }
                if try connection.value("SELECT count(*) FROM filling WHERE id = 4711") == .integer(1) {
                    return true
                }
            }
        }
        return false
    }

    // MARK: Journals

    @Test(arguments: [RekeyFixture.new, []])
    func `a log that a killed program left is folded in before`(new: [UInt8]) throws {
        let fixture = try RekeyFixture(rows: 3)
        try fixture.leaveLog()
        #expect(try fixture.change(to: new).changed)
        let connection = try Connection(
            fixture.location.path(of: .chat), mode: .readOnly, passphrase: SecretBytes(copying: new))
        #expect(try connection.value("SELECT text FROM filling WHERE id = 999") == .text("in the log"))
    }

    /// A tool that switched to a log leaves the flag in the header, where only the passphrase shows it.
    @Test func `a header that asks for a log is put right`() throws {
        let fixture = try RekeyFixture(rows: 3)
        do {
            let connection = try Connection(
                fixture.location.path(of: .agent), mode: .readWrite,
                passphrase: SecretBytes(copying: RekeyFixture.old))
            #expect(try connection.value("PRAGMA journal_mode = WAL") == .text("wal"))
        }
        #expect(try fixture.change().changed)
        let connection = try Connection(
            fixture.location.path(of: .agent), mode: .readOnly,
            passphrase: SecretBytes(copying: RekeyFixture.new))
        #expect(try connection.value("PRAGMA journal_mode") == .text("delete"))
    }

    @Test func `a damaged page stops the change before a log is folded in`() throws {
        let fixture = try RekeyFixture()
        try fixture.leaveLog()
        try fixture.damage(.chat) { $0[9 * 4096 + 77] ^= 1 }
        let before = try fixture.bytes()
        let error = #expect(throws: (any Error).self) { try fixture.change() }
        #expect((error as? any Failure)?.code == .damaged, "\(String(describing: error))")
        #expect(try fixture.bytes() == before)
    }

    // MARK: Faults

    static let faults: [(FaultPlan.Fault, keepsBackup: Bool)] = [
        (.crash, false), (.crash, true), (.fail(.noSpace), false), (.fail(.ioError), true),
        (.shortWrite, false),
    ]

    @Test(arguments: faults)
    func `whatever fails, both databases open with the same passphrase`(
        fault: FaultPlan.Fault, keepsBackup: Bool
    ) throws {
        let fixture = try RekeyFixture(rows: 2)
        let template = fixture.folder.appending("template")
        try TemporaryFolder.copyTree(fixture.location.directory, to: template)
        var position = FaultSweep.first(step: 1)
        var reached = true
        var seen: Set<[UInt8]> = []
        while reached {
            try fixture.fileSystem.removeTree(fixture.location.directory)
            try TemporaryFolder.copyTree(template, to: fixture.location.directory)
            let plan = FaultPlan(fault, at: position)
            let result = Result {
                try fixture.change(keepsBackup: keepsBackup, fileSystem: FileSystem(interposer: plan))
            }
            reached = plan.wasReached
            _ = try AccountWriter(fixture.location, fileSystem: FileSystem()).recovery
            let opened = fixture.opening([RekeyFixture.old, RekeyFixture.new])
            let key = try #require(opened[0], "neither passphrase opens after \(fault) at \(position)")
            #expect(opened[0] == opened[1], "\(fault) at \(position)")
            if keepsBackup, key == RekeyFixture.new {
                for database in AccountDatabase.allCases {
                    let copy = fixture.location.path(of: database).appendingSuffix(".bak")
                    _ = try Connection(
                        copy, mode: .readOnly, passphrase: SecretBytes(copying: RekeyFixture.old))
                }
            }
            if (try? result.get()) != nil { #expect(key == RekeyFixture.new, "\(fault) at \(position)") }
            seen.insert(key)
            position += FaultSweep.step(1)
        }
        #expect(position > 20)
        if case .shortWrite = fault { #expect(seen == [RekeyFixture.new]) } else { #expect(seen.count == 2) }
    }
}
