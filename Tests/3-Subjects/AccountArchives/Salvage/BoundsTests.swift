import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

/// What one damaged entry, a full disk, a stop or a change meanwhile may do to the rest.
struct BoundsTests {
    private let world: BrokenArchive

    init() throws { world = try BrokenArchive() }

    private struct Stop: Error {}

    private func run(
        _ bytes: [UInt8], _ options: ArchiveSalvage.Options = .init(), passphrase: [UInt8]? = nil,
        _ progress: ProgressHandler = { _ in }
    ) throws -> ArchiveSalvageReport {
        try FileSystem().replace(world.broken, with: bytes)
        guard let passphrase else {
            return try ArchiveSalvage(options).run(world.broken, to: world.out, progress: progress)
        }
        return try ArchiveSalvage(options).run(
            world.broken, to: world.out, passphrase: SecretBytes(copying: passphrase), progress: progress)
    }

    private func expectNothingLeft() throws {
        #expect(try !FileSystem().exists(world.out))
        #expect(try world.leftovers().isEmpty)
    }

    /// A whole medium, then a database that claims more than there is.
    private func claiming(_ size: String, method: Int) throws -> [UInt8] {
        try world.python(
            """
            make("whole.zip", [(media("a"), b"whole")])
            whole = open("whole.zip", "rb").read()
            whole = whole[:whole.index(b"PK\\x01\\x02")]
            size = \(size)
            extra = struct.pack("<HHQQ", 1, 16, size, size)
            data = zlib.compress(some(4000))[2:-4] if \(method) else some(4000)
            head = struct.pack("<IHHHHHIIIHH", 0x04034b50, 45, 0, \(method), 0, 0, 1, 0xffffffff, 0xffffffff,
                len(chat), len(extra)) + chat.encode() + extra
            open("whole.zip", "wb").write(whole + head + data)
            """)
    }

    @Test(
        .enabled(if: OtherProgram.isThere("python3")), arguments: ["1 << 62", "(1 << 63) - 1", "1 << 40"],
        [0, 8])
    func `a size that a damaged header claims does not forbid to save the rest`(
        size: String, method: Int
    ) throws {
        let report = try world.salvage(try claiming(size, method: method))
        #expect(report.kept.map(\.name) == ["simplex_v1_files/a.jpg"])
        #expect(report.databases[0].state == .keptDamaged)
        #expect(try world.leftovers().isEmpty)
    }

    /// A damaged chat database of 8 MiB, packed to little or not at all, and media.
    private func large(method: Int) throws -> [UInt8] {
        try world.python(
            """
            make("whole.zip", [(chat, bytes(8 << 20)), (media("a"), b"whole"), (media("b"), some(4 << 20))],
                \(method))
            data = bytearray(open("whole.zip", "rb").read())
            for sign, at in ((b"PK\\x03\\x04", 14), (b"PK\\x01\\x02", 16)): data[data.index(sign) + at] ^= 1
            open("whole.zip", "wb").write(data)
            """)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")), arguments: [0, 8])
    func `a damaged database without room is lost, and the rest is saved`(method: Int) throws {
        var options = ArchiveSalvage.Options()
        options.freeSpace = 20 << 20
        let bytes = try large(method: method)
        let report = try world.salvage(bytes, options: options)
        #expect(report.databases[0].state == .noSpace && !report.isComplete)
        #expect(report.lost.count == 1 && report.lost.first?.reason.sentence.contains("does not fit") == true)
        #expect(try Set(world.contents(of: world.out).keys) == Set(report.kept.map(\.name)))
        #expect(report.kept.count == 2)
        #expect(try world.leftovers().isEmpty)
        options.freeSpace = 40 << 20
        #expect(try world.salvage(bytes, options: options).databases[0].state == .keptDamaged)
        options.freeSpace = 2 << 20
        let error = try #require(throws: ArchiveSalvageError.self) {
            _ = try world.salvage(bytes, options: options)
        }
        #expect(error.code == .noSpace)
        try expectNothingLeft()
    }

    @Test(
        .enabled(if: OtherProgram.isThere("python3")),
        arguments: [
            "copying intact entries", "unpacking the damaged chat database",
            "copying damaged/simplex_v1_chat.db",
        ])
    func `a stop within a large entry ends the run and leaves nothing`(activity: String) throws {
        var stops = 0
        #expect(throws: Stop.self) {
            _ = try run(try large(method: 0)) { progress in
                guard progress.activity == activity, progress.completed > 6,
                    progress.total.map({ progress.completed < $0 }) ?? true
                else { return }
                stops += 1
                throw Stop()
            }
        }
        #expect(stops == 1)
        try expectNothingLeft()
    }

    @Test(arguments: [false, true])
    func `a source that changes between proof and copy is not taken`(isDryRun: Bool) throws {
        let bytes = try BrokenArchive.account.get()
        var isChanged = false
        let error = try #require(throws: ArchiveSalvageError.self) {
            let options = ArchiveSalvage.Options(isDryRun: isDryRun)
            _ = try run(bytes, options, passphrase: BrokenArchive.rawKey) { progress in
                guard !isChanged, progress.activity == "checking the databases" else { return }
                isChanged = true
                let handle = try FileDescriptor.open(world.broken, .readWrite)
                defer { try? handle.close() }
                try handle.writeAll(toAbsoluteOffset: Int64(bytes.count), [0])
            }
        }
        #expect(isChanged && error.code == .failed && error.message.contains("changed"))
        try expectNothingLeft()
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `bytes that change while they are copied do not match their checksum`() throws {
        let bytes = try world.python(
            """
            make("whole.zip", [(media("a"), some(1000)), (media("b"), some(4 << 20))])
            """)
        var isChanged = false
        let error = try #require(throws: ArchiveSalvageError.self) {
            _ = try run(bytes) { progress in
                guard !isChanged, progress.activity == "copying intact entries" else { return }
                isChanged = true
                let handle = try FileDescriptor.open(world.broken, .readWrite)
                defer { try? handle.close() }
                try handle.writeAll(toAbsoluteOffset: 3 << 20, [UInt8](repeating: 1, count: 64))
            }
        }
        #expect(isChanged && error.code == .failed)
        try expectNothingLeft()
    }

    @Test func `what a passphrase does not open is kept as it is where it opens the other database`() throws {
        let whole = try BrokenArchive.account.get()
        var bytes = whole
        let range = try ArchiveParts(whole).range(of: BrokenArchive.chat)
        for index in range.lowerBound + 100..<range.upperBound - 100 {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13)
        }
        let report = try world.salvage(bytes, passphrase: BrokenArchive.rawKey)
        #expect(report.databases.map(\.state) == [.keptDamaged, .intact])
        #expect(report.databases[0].failure?.sentence.contains("passphrase") == true)
        #expect(!report.isComplete && report.kept.count > 10)
    }

    @Test func `an error of one database leaves its bytes, and the other one is salvaged`() throws {
        let whole = try BrokenArchive.account.get()
        var bytes = whole
        for name in [BrokenArchive.chat, BrokenArchive.agent] {
            let range = try ArchiveParts(whole).range(of: name)
            for index in range.lowerBound + 60_000..<range.lowerBound + 60_400 { bytes[index] ^= 0x55 }
        }
        var failures = 0
        let report = try run(bytes, passphrase: BrokenArchive.rawKey) { progress in
            guard progress.activity == "recovering the chat database" else { return }
            failures += 1
            throw DatabaseError(.failed, "database disk image is malformed", file: "chat")
        }
        #expect(failures == 1)
        #expect(report.databases.map(\.state) == [.keptDamaged, .salvaged])
        #expect(report.databases[0].failure == "database disk image is malformed")
        #expect(!report.isComplete && report.kept.count > 10)
        #expect(try world.contents(of: world.out)["damaged/\(BrokenArchive.chat)"] != nil)
        #expect(try world.leftovers().isEmpty)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `a bomb is left out and told of, unless it is allowed to grow so much`() throws {
        let bytes = try world.python(
            """
            make("whole.zip", [(media("a"), bytes(24 << 20)), (media("b"), b"b")], 8)
            """)
        let report = try run(bytes)
        #expect(report.kept.map(\.name) == ["simplex_v1_files/b.jpg"] && !report.isComplete)
        #expect(report.lost.map(\.name) == ["simplex_v1_files/a.jpg"])
        #expect(report.lost.first?.reason.sentence.contains("zip bomb") == true)
        #expect(try ZipIndex(FileSystem().openForReading(world.out)).entries.count == 1)

        let all = try run(bytes, .init(replacesFile: true, ratio: 2000))
        #expect(all.kept.count == 2 && all.lost.isEmpty)
        let index = try ZipIndex(FileSystem().openForReading(world.out), limits: ZipLimits(ratio: 2000))
        #expect(index.entries.map(\.size).max() == 24 << 20)
    }

    @Test func `what is saved is not written among an account's own files`() throws {
        let account = world.folder.appending("account")
        let location = AccountLocation(directory: account)
        try SampleAccount(.init(messages: 1)).build(
            location, passphrase: try SecretBytes(copying: BrokenArchive.rawKey))
        try FileSystem().replace(world.broken, with: try BrokenArchive.account.get())
        let names = ["simplex_v1_chat.db-journal", "simplex_v1_agent.db-wal", "simplex_v1_files/new.zip"]
        for name in names {
            let target = account.pushing(FilePath(name))
            let error = try #require(throws: AccountError.self) {
                _ = try ArchiveSalvage().run(world.broken, to: target)
            }
            #expect(error.code == .invalid)
            #expect(try !FileSystem().exists(target))
        }
    }
}
