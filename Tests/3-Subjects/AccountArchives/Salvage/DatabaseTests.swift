import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

/// Damaged databases in an archive, and what a run leaves that does not come to its end.
struct DatabaseTests {
    private let world: BrokenArchive
    private let bytes: [UInt8]
    private let parts: ArchiveParts

    init() throws {
        world = try BrokenArchive()
        bytes = try BrokenArchive.account.get()
        parts = try ArchiveParts(bytes)
    }

    /// One page of the chat database is damaged.
    private func damaged() throws -> [UInt8] {
        var broken = bytes
        let chat = try parts.range(of: BrokenArchive.chat)
        for index in chat.lowerBound + 60_000..<chat.lowerBound + 60_400 { broken[index] ^= 0x55 }
        return broken
    }

    @Test func `an import takes what was saved of a directory's loss`() throws {
        let report = try world.salvage(Array(bytes[..<parts.directory]))
        #expect(report.isImportable)
        let location = AccountLocation(directory: world.folder.appending("imported"))
        let imported = try ArchiveImport().import(
            world.out, to: location, passphrase: SecretBytes(copying: BrokenArchive.rawKey))
        #expect(imported.archiveErrors.isEmpty && imported.databasesOpened)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `with the passphrase a damaged database is saved into a fresh one that opens`() throws {
        let report = try world.salvage(try damaged(), passphrase: BrokenArchive.rawKey)
        #expect(report.databases.map(\.state) == [.salvaged, .intact])
        #expect(report.isImportable && !report.isComplete)
        let salvage = try #require(report.databases[0].salvage)
        #expect(salvage.damagedPages.count >= 1 && salvage.tables.contains { $0.rows > 0 })
        #expect(report.databases[0].damagedSize ?? 0 > 100_000)
        let location = AccountLocation(directory: world.folder.appending("imported"))
        _ = try ArchiveImport().import(
            world.out, to: location, passphrase: SecretBytes(copying: BrokenArchive.rawKey))
        let path = location.path(of: .chat)
        try world.tool(
            "sh",
            [
                "-c",
                """
                echo 'PRAGMA key = "\(String(decoding: BrokenArchive.rawKey, as: UTF8.self))"; \
                PRAGMA integrity_check; SELECT count(*) FROM messages;' | sqlcipher '\(path)' | grep -q '^ok$'
                """,
            ])
        try FileSystem().removeTree(location.directory)
        #expect(try world.leftovers().isEmpty)
    }

    @Test func `a cut database is saved as far as it goes`() throws {
        let chat = try parts.range(of: BrokenArchive.chat)
        let cut = Array(bytes[..<(chat.lowerBound + chat.count * 3 / 4)])
        let report = try world.salvage(cut, passphrase: BrokenArchive.rawKey)
        #expect(report.databases.map(\.state) == [.salvaged, .missing])
        #expect(!report.isImportable)
        #expect(report.databases[0].salvage?.tables.contains { $0.rows > 0 } == true)
    }

    @Test func `without it the damaged bytes are kept under a name that no import takes`() throws {
        let broken = try damaged()
        let report = try world.salvage(broken)
        #expect(report.databases.map(\.state) == [.keptDamaged, .intact])
        #expect(!report.isImportable)
        let saved = try world.contents(of: world.out)
        #expect(saved[BrokenArchive.chat] == nil)
        let kept = try #require(saved["damaged/\(BrokenArchive.chat)"])
        let whole = try #require(try world.contents(ofWhole: bytes)[BrokenArchive.chat])
        #expect(kept.count == whole.count)
        #expect(zip(kept, whole).count { $0 != $1 } == 400)
        #expect(throws: (any Error).self) {
            _ = try ArchiveImport().import(
                world.out, to: AccountLocation(directory: world.folder.appending("imported")))
        }
    }

    @Test func `a wrong passphrase writes nothing`() throws {
        let wrong = Array(("x'" + String(repeating: "00", count: 32) + "'").utf8)
        let error = try #require(throws: ArchiveSalvageError.self) {
            _ = try world.salvage(try damaged(), passphrase: wrong)
        }
        #expect(error.code == .wrongPassphrase)
        #expect(try !FileSystem().exists(world.out))
        #expect(try world.leftovers().isEmpty)
        // Whole ones are looked into with it, too.
        let other = try #require(throws: ArchiveSalvageError.self) {
            _ = try world.salvage(bytes, passphrase: wrong)
        }
        #expect(other.code == .wrongPassphrase)
    }

    /// A page of the chat database was damaged before it was packed.
    private func packedDamaged() throws -> [UInt8] {
        var contents = try world.contents(ofWhole: bytes)
        var chat = try #require(contents[BrokenArchive.chat])
        for index in 60_000..<60_400 { chat[index] ^= 0x55 }
        contents[BrokenArchive.chat] = chat
        let path = world.folder.appending("packed.zip")
        let writer = try ZipWriter(FileSystem().create(path))
        for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
            var rest = content[...]
            try writer.add(
                name, size: Int64(content.count), modificationTime: 0, method: .stored,
                next: { buffer in
                    let part = rest.prefix(buffer.count)
                    buffer.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    return part.count
                })
        }
        _ = try writer.finish()
        return try FileSystem().contents(of: path, limit: 1 << 30)
    }

    @Test func `a database that was damaged before it was packed is not called whole`() throws {
        let packed = try packedDamaged()
        let report = try world.salvage(packed, passphrase: BrokenArchive.rawKey)
        #expect(report.databases.map(\.state) == [.salvaged, .intact])
        #expect(!report.isComplete && report.isImportable)
        #expect(report.databases[0].salvage?.damagedPages.isEmpty == false)
        // Without the passphrase only checksums are proved, and no more is said.
        let blind = try world.salvage(packed, options: .init(replacesFile: true))
        #expect(blind.databases.map(\.state) == [.intact, .intact])
        #expect(!blind.isLookedAt)
    }

    @Test func `whole databases are called looked at only where the passphrase was given`() throws {
        let known = try world.salvage(bytes, passphrase: BrokenArchive.rawKey)
        #expect(known.isComplete && known.isLookedAt)
        let blind = try world.salvage(bytes, options: .init(replacesFile: true))
        #expect(blind.isComplete && !blind.isLookedAt)
    }

    @Test func `a dry run says the same and leaves nothing`() throws {
        let broken = try damaged()
        let dry = try world.salvage(
            broken, passphrase: BrokenArchive.rawKey, options: .init(isDryRun: true))
        #expect(try !FileSystem().exists(world.out))
        #expect(try world.leftovers().isEmpty)
        let real = try world.salvage(broken, passphrase: BrokenArchive.rawKey)
        #expect(dry.kept == real.kept && dry.databases.map(\.state) == real.databases.map(\.state))
    }

    @Test func `what is there is not replaced unless told so, and the broken archive never is`() throws {
        try FileSystem().replace(world.broken, with: bytes)
        try FileSystem().replace(world.out, with: bytes)
        for (target, force, code) in [
            (world.out, false, FailureCode.alreadyExists), (world.broken, true, .invalid),
        ] {
            let error = try #require(throws: ArchiveSalvageError.self) {
                _ = try ArchiveSalvage(.init(replacesFile: force)).run(world.broken, to: target)
            }
            #expect(error.code == code)
        }
        #expect(try FileSystem().contents(of: world.broken, limit: 1 << 30) == bytes)
        try FileSystem().replace(world.out, with: [1])
        #expect(throws: FileError.self) {
            _ = try ArchiveSalvage(.init(replacesFile: true)).run(world.broken, to: world.out)
        }
        #expect(try FileSystem().contents(of: world.out, limit: 1 << 30) == [1])
        try FileSystem().replace(world.out, with: [])
        #expect(try ArchiveSalvage(.init(replacesFile: true)).run(world.broken, to: world.out).isComplete)
    }

    @Test(arguments: [false, true])
    func `stopped at any operation there is no archive, and the next run cleans up`(
        isDiskFull: Bool
    ) throws {
        let broken = try damaged()
        let plan = FaultPlan(.none)
        _ = try world.salvage(broken, fileSystem: FileSystem(interposer: plan))
        let operations = plan.count
        #expect(operations > 5)
        for position in 1...operations {
            let fault = FaultPlan(isDiskFull ? .fail(.noSpace) : .crash, at: position)
            do {
                _ = try world.salvage(broken, fileSystem: FileSystem(interposer: fault))
            } catch {
                if isDiskFull, let failure = error as? any Failure {
                    #expect(failure.code == .noSpace, "\(position): \(failure)")
                }
            }
            if try FileSystem().exists(world.out) {
                #expect(try world.contents(of: world.out).count > 10, "operation \(position)")
            }
            _ = try world.salvage(broken)
            #expect(try world.leftovers().isEmpty, "operation \(position)")
        }
    }

    @Test func `a folder that a salvage did not leave is not removed`() throws {
        let folder = world.folder.appending("out.zip.salvage")
        try FileSystem().makeDirectory(folder)
        try FileSystem().replace(folder.appending("mine"), with: [1])
        let error = try #require(throws: ArchiveSalvageError.self) { _ = try world.salvage(bytes) }
        #expect(error.code == .alreadyExists)
        #expect(try FileSystem().exists(folder.appending("mine")))
    }
}
