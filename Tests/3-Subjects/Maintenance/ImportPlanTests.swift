import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia
import ValiseSecrets

/// What an import would do, told without doing it.
struct ImportPlanTests {
    @Test func `a plan tells what the import does, and writes nothing`() throws {
        let pair = try ImportedPair()
        try pair.fileSystem.makeDirectory(pair.target.filesFolder.appending("only new"))
        let options = ArchiveImport.Options(replacesAccount: true, keepsPreviousAs: "former")
        let before = try ImportedPair.tree(pair.old.folder.path)
        let operations = FaultPlan(.none)
        let plan = try pair.plan(options, fileSystem: FileSystem(interposer: operations))
        #expect(operations.count == 0)
        #expect(try ImportedPair.tree(pair.old.folder.path) == before)

        #expect(plan.replacesAccount && plan.databasesOpened && plan.fits)
        #expect(plan.databases.map(\.database) == [.chat, .agent])
        for database in plan.databases {
            let place = try pair.fileSystem.attributes(of: pair.target.path(of: database.database))
            #expect(database.replacedSize == place?.size)
        }
        #expect(plan.media.new.files == 0)
        #expect(plan.media.identical.files == 1 && plan.media.identical.size == 5)
        #expect(plan.media.replacedNames == ["shared.bin"] && plan.media.replaced.files == 1)
        #expect(plan.media.staying.files == 2)
        #expect(plan.wallpapers.replaced.files == 1)
        #expect(plan.keptPrevious == pair.kept.string)
        #expect(plan.interrupted == nil)

        let report = try pair.import(options)
        #expect(plan.archiveErrors == report.archiveErrors && plan.archiveErrors.count == 1)
        #expect(plan.ignored == report.ignored)
        #expect(plan.age == report.age)
        let json = try JSONText.encode(plan)
        #expect(json.contains(#""staying":{"files":2,"size":2}"#), "\(json)")
    }

    @Test func `a plan for a folder that is not there makes none`() throws {
        let pair = try ImportedPair()
        let target = AccountLocation(directory: pair.new.folder.appending("deep").appending("er"))
        let operations = FaultPlan(.none)
        let plan = try pair.plan(
            .init(isReadOnly: true), to: target, fileSystem: FileSystem(interposer: operations))
        #expect(operations.count == 0)
        #expect(plan.makesDirectory && !plan.replacesAccount && plan.isReadOnly && plan.age == nil)
        #expect(plan.media.new.files == 3 && plan.freeSpace > 0)
        #expect(try pair.fileSystem.list(pair.new.folder.path).compactMap(\.name) == ["a.zip", "account"])
    }

    @Test func `a plan fails where the import would, with the same code`() throws {
        let pair = try ImportedPair()
        let wrong = "x'" + String(repeating: "00", count: 32) + "'"
        let options = ArchiveImport.Options(replacesAccount: true, replacesNewer: true)
        #expect(try codes(pair, options, wrong) == [.wrongPassphrase, .wrongPassphrase])
        #expect(try codes(pair, .init()) == [.alreadyExists, .alreadyExists])
        #expect(
            try codes(pair, .init(replacesAccount: true, keepsPreviousAs: "simplex_v1_files"))
                == [.invalid, .invalid])
        let holder = try AccountLock(pair.target, .exclusive, fileSystem: FileSystem())
        #expect(try codes(pair, options) == [.inUse, .inUse])
        withExtendedLifetime(holder) {}
    }

    /// Of the plan and of the import; nil where it did not fail.
    private func codes(
        _ pair: ImportedPair, _ options: ArchiveImport.Options, _ passphrase: String? = nil
    ) throws -> [FailureCode?] {
        let before = try TemporaryFolder.contents(of: pair.target.directory)
        let found = try [true, false].map { plans in
            let bytes = passphrase.map { Array($0.utf8) }
            var key: SecretBytes? = nil
            if let bytes { key = try SecretBytes(copying: bytes) }
            let operation = ArchiveImport(options)
            do {
                if plans {
                    _ = try operation.plan(pair.archive, to: pair.target, passphrase: key)
                } else {
                    _ = try operation.import(pair.archive, to: pair.target, passphrase: key)
                }
                return FailureCode?.none
            } catch {
                return (error as? any Failure)?.code
            }
        }
        #expect(try TemporaryFolder.contents(of: pair.target.directory) == before)
        return found
    }

    @Test func `a damaged entry is found by the plan as by the import`() throws {
        let pair = try ImportedPair()
        var bytes = try pair.fileSystem.contents(of: pair.archive, limit: 1 << 28)
        let content = Array("of the new one".utf8)
        let start = try #require(
            (0..<(bytes.count - content.count)).first {
                bytes[$0..<($0 + content.count)].elementsEqual(content)
            })
        bytes[start] ^= 1
        try pair.fileSystem.replace(pair.archive, with: bytes)
        let plan = try pair.plan()
        let report = try pair.import()
        #expect(plan.archiveErrors.count == 1)
        #expect(plan.archiveErrors == report.archiveErrors)
        #expect(plan.media.replaced.files == 0 && plan.media.staying.files == 2)
    }

    @Test func `what an interrupted operation would do first is told`() throws {
        let pair = try ImportedPair()
        var position = 1
        while try AccountRecovery.pending(pair.target)?.state != .after, position < 400 {
            _ = try? pair.import(fileSystem: FileSystem(interposer: FaultPlan(.crash, at: position)))
            position += 1
        }
        let before = try ImportedPair.tree(pair.target.directory)
        #expect(try pair.plan().interrupted?.contains("must be completed") == true)
        #expect(try ImportedPair.tree(pair.target.directory) == before)
    }

    @Test func `the schema of the archive's databases is told`() throws {
        let current = try ImportedPair()
        let key = try AccountFixture.key()
        let schema = try ArchivedSchema(
            AccountReader(.archive(current.archive)), passphrase: key)
        #expect(schema.state == .current && schema.databases.map(\.database) == [.chat, .agent])
        // It is the same in a folder and in an archive.
        let folder = try AccountReader(current.new.location)
        let inFolder = try ArchivedSchema(folder, passphrase: key)
        #expect(inFolder == schema)
        let agent = try folder.schema(of: .agent, passphrase: key)
        #expect(agent.origin == .valise && agent.pending.isEmpty)
        let newer = try ImportedPair {
            try ImportedPair.run(
                "INSERT INTO migrations (name, ts) VALUES ('9999_future', '2099-01-01 00:00:00')",
                on: .chat, of: $0)
        }
        let future = try ArchivedSchema(
            AccountReader(.archive(newer.archive)), passphrase: key)
        #expect(future.databases.map(\.state) == [.newerThanKnown, .current])
        #expect(future.state == .newerThanKnown)
    }
}
