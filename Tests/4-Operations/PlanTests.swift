import FaultInjection
import Foundation
import Testing

@testable import Valise

/// What operations say of what they would do.
struct PlanTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private var context: OperationContext { OperationContext() }

    /// A raw key: nothing here is about how keys are derived, which takes long.
    private static let passphrase = Array("x'\(String(repeating: "5a", count: 32))'".utf8)

    init() throws {
        folder = try TemporaryFolder("valise-plans", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        try FileSystem().replace(folder.appending("key"), with: Self.passphrase)
    }

    private func create() async throws {
        _ = try await CreateAccount(account) {
            SharedSecret(try SecretBytes(copying: Self.passphrase))
        }
        .run(in: context)
    }

    @Test func `an account that would be created is told path by path, and nothing is made`() async throws {
        let operation = CreateAccount(account) { throw Interruption() }
        let plan = try await operation.plan(in: context)
        #expect(plan.created.contains(account.path(of: .chat)) && plan.created.contains(account.filesFolder))
        #expect(plan.replaced.isEmpty && plan.freeSpace ?? 0 > 0)
        #expect(try !FileSystem().exists(account.directory))
        try await create()
        let (planned, run) = (
            await #expect(throws: AccountError.self) { try await operation.plan(in: context) },
            await #expect(throws: AccountError.self) { try await operation.run(in: context) }
        )
        #expect(planned?.code == .alreadyExists && planned?.message == run?.message)
    }

    @Test func `a passphrase that is there is judged by the plan`() async throws {
        var operation = CreateAccount(account) {
            SharedSecret(try SecretBytes(copying: Array("abc".utf8)))
        }
        _ = try await operation.plan(in: context)
        operation.hasPassphrase = true
        let judged = operation
        let error = await #expect(throws: OperationError.self) { try await judged.plan(in: context) }
        #expect(error?.need == .strongPassphrase)
    }

    @Test func `a media folder that is there is in the way of no account, by its plan either`() async throws {
        try FileSystem().makeDirectories(account.filesFolder)
        let plan = try await CreateAccount(account) { throw Interruption() }.plan(in: context)
        let databases = AccountDatabase.allCases.map(account.path)
        #expect(plan.created == databases + [account.wallpapersFolder] && plan.replaced.isEmpty)
        try await create()
        #expect(try databases.allSatisfy { try FileSystem().exists($0) })
    }

    @Test func `a migration's previous databases are told by their paths and size`() async throws {
        try await create()
        await #expect(throws: MaintenanceError.self) {
            try await RollBackMigration(of: account).plan(in: context)
        }
        await #expect(throws: MaintenanceError.self) {
            try await ConfirmMigration(of: account).plan(in: context)
        }
        let down = MigrateAccount(
            account, to: [.chat: "0015_remote_access", .agent: "0010_sent_files"], confirmation: .yesUpDown,
            passphrase: .file(folder.appending("key")))
        _ = try await down.run(in: context)
        let (back, confirmed) = (
            try await RollBackMigration(of: account).plan(in: context),
            try await ConfirmMigration(of: account).plan(in: context)
        )
        #expect(back.replaced.count == 2 && back.bytesToProcess > 0)
        #expect(confirmed.removed.count >= 2 && confirmed.freed == back.bytesToProcess)
        #expect(try confirmed.removed.allSatisfy { try FileSystem().exists($0) })
        let agreeing = OperationContext(questions: RecordedAnswers(true))
        #expect(try await ConfirmMigration(of: account).run(in: agreeing) == confirmed)
        #expect(try confirmed.removed.allSatisfy { try !FileSystem().exists($0) })
    }

    @Test func `a migration's plan is what came of it on copies, and nothing is changed`() async throws {
        try await create()
        let targets: [AccountDatabase: String] = [.chat: "0015_remote_access", .agent: "0010_sent_files"]
        func migration(_ confirmation: MigrationConfirmation) -> MigrateAccount {
            MigrateAccount(
                account, to: targets, confirmation: confirmation,
                passphrase: .file(folder.appending("key")))
        }
        let before = try TemporaryFolder.contents(of: account.directory)
        let plan = try await migration(.yesUpDown).plan(in: context)
        #expect(plan.result == .ok && !plan.keepsBackup && !plan.plan.isEmpty)
        #expect(plan.bytesToProcess == plan.plan.spaceNeeded && plan.bytesToProcess > 0)
        let refused = try await migration(.yesUp).plan(in: context)
        #expect(refused.result != .ok && refused.plan.steps == plan.plan.steps)
        let listed = ListMigrations(
            of: account, to: targets, passphrase: .file(folder.appending("key")))
        #expect(try await listed.run(in: context).steps == plan.plan.steps)
        #expect(try TemporaryFolder.contents(of: account.directory) == before)
        let done = try await migration(.yesUpDown).run(in: context)
        #expect(done.keepsBackup && done.plan.steps == plan.plan.steps)
    }

    @Test func `a single file's plan names what would be written, and what is in the way`() async throws {
        let (source, target) = (folder.appending("a"), folder.appending("b"))
        try FileSystem().replace(source, with: Array(repeating: 7, count: 1000))
        let operation = EncryptFile(.path(source), to: .path(target, replacing: false))
        let plan = try await operation.plan(in: context)
        #expect(plan.created == [target, folder.appending("b.key.json")] && plan.bytesToProcess == 1000)
        #expect(plan.estimatedDuration(at: 500) == .seconds(2))
        #expect(plan.timeText == "would take less than a second")
        let changes = PlannedChanges("fileEncryption", [], plan).text
        #expect(
            changes.hasSuffix("\nwould take less than a second\ndry run: nothing was changed"), "\(changes)")
        _ = try await operation.run(in: context)
        await #expect(throws: OperationError.self) { try await operation.plan(in: context) }
        let decryption = DecryptFile(.path(target), to: .path(folder.appending("c"), replacing: false))
        #expect(try await decryption.plan(in: context).created == [folder.appending("c")])
        await #expect(throws: FileError.self) {
            try await EncryptFile(.path(folder.appending("none")), to: .path(target, replacing: true))
                .plan(in: context)
        }
        await #expect(throws: FileError.self) {
            try await SendFiles([folder.appending("none")], over: RelayChoice()).plan(in: context)
        }
    }

    @Test func `a duration is rounded to one unit, and what is sent takes longer than what is copied`() throws
    {
        let texts: [(Double, String)] = [
            (0.4, "less than a second"), (5.2, "about 5 s"), (170, "about 3 min"), (7300, "about 2 h"),
        ]
        for (seconds, text) in texts { #expect(ShortDuration.estimate(.seconds(seconds)) == text) }
        var copied = PlannedFiles()
        let end = "dry run: nothing was changed"
        #expect(copied.timeText == nil && "a".asDryRun(of: copied) == "a\n\(end)")
        copied.bytesToProcess = 1_000_000_000
        #expect("a".asDryRun(of: copied) == "a\nwould take about 5 s at 200.0 MB/s\n\(end)")
        #expect("a".asDryRun(of: copied, if: false) == "a")
        let sent = SendFiles.Plan(files: [.init(path: "a", size: 900_000_000)], relays: [])
        #expect(sent.bytesToProcess == 900_000_000)
        #expect(sent.timeText == "would take about 3 min at 5.0 MB/s")
    }

    @Test func `what reads an account says how long it takes, also where its report is its plan`()
        async throws
    {
        try await create()
        let (key, archive) = (PassphraseSource.file(folder.appending("key")), folder.appending("a.zip"))
        var plans: [any TimedPlan] = [
            try await SalvageAccount(account, to: folder.appending("saved"), passphrase: key).plan(
                in: context),
            try await ExportArchive(of: account, to: .file(archive), passphrase: key).plan(in: context),
        ]
        _ = try await ExportArchive(of: account, to: .file(archive), passphrase: key).run(in: context)
        let options = ArchiveExtraction.Options(patterns: [], replacesFiles: false, decryptsMedia: false)
        plans += [
            try await ExtractArchive(archive, to: folder.appending("out"), options: options).plan(
                in: context),
            try await SalvageArchive(archive, to: folder.appending("b.zip")).plan(in: context),
        ]
        for plan in plans { #expect(plan.bytesToProcess > 0 && plan.timeText != nil, "\(plan)") }
        let upgrade = try await UpgradeCipher(of: account, passphrase: key).plan(in: context)
        #expect(upgrade.bytesToProcess == 0 && upgrade.timeText == nil)
    }

    @Test func `a name that was not UTF-8 is refused, and files are planned for the relay of this process`()
        async throws
    {
        let broken = SendFiles([folder.appending("a\u{fffd}")])
        for isPlan in [true, false] {
            let error = await #expect(throws: OperationError.self) {
                if isPlan {
                    _ = try await broken.plan(in: context)
                } else {
                    _ = try await broken.run(in: context)
                }
            }
            #expect(error?.code == .invalid && error?.message.contains("UTF-8") == true)
        }
        var served = SendFiles([folder.appending("key")])
        served.servedAt = ServeAddress("localhost:7000")
        #expect(try await served.plan(in: context).relays == ["localhost"])
    }

    @Test func `a move's source is a link or an archive that exists, and no error repeats a link`() throws {
        guard case .archive(let path) = try MoveSource.named(folder.appending("key").string) else {
            Issue.record("no archive")
            return
        }
        #expect(path == folder.appending("key"))
        let saved = folder.appending("link.txt")
        try FileSystem().replace(saved, with: Array(" simplex:/file#/?desc=secret\n".utf8))
        let link = #expect(throws: OperationError.self) { try MoveSource.named(saved.string) }
        #expect(link?.need == .linkInFile && link?.description.contains("secret") == false)
        let missing = #expect(throws: OperationError.self) { try MoveSource.named("missing.zip") }
        #expect(missing?.code == .notFound && missing?.subject == "missing.zip")
        let mistyped = #expect(throws: OperationError.self) { try MoveSource.named("simplx:/file#secret") }
        #expect(mistyped?.code == .invalid && mistyped?.description.contains("secret") == false)
        #expect(throws: OperationError.self) { try MoveSource.link(folder.appending("key").string) }
    }

    @Test func `a sheet's plan proves the passphrase, and draws nothing`() async throws {
        try await create()
        let file = folder.appending("sheet.svg")
        func sheet(_ key: String) -> DrawRecoverySheet {
            DrawRecoverySheet(
                of: account, to: file, as: .svg, date: "2026-01-01",
                passphrase: .file(folder.appending(key)))
        }
        #expect(try await sheet("key").plan(in: context).created == [file])
        try FileSystem().replace(folder.appending("wrong"), with: Array("another key".utf8))
        await #expect(throws: (any Error).self) { try await sheet("wrong").plan(in: context) }
        #expect(try !FileSystem().exists(file))
        _ = try await sheet("key").run(in: context)
        #expect(try FileSystem().exists(file))
        let error = await #expect(throws: OperationError.self) {
            try await sheet("key").plan(in: context)
        }
        #expect(error?.code == .alreadyExists)
    }

    @Test func `a passphrase is not generated over one that is there`() async throws {
        let operation = GeneratePassphrase(.file(folder.appending("key")))
        await #expect(throws: FileError.self) { try await operation.plan(in: context) }
        let other = GeneratePassphrase(.file(folder.appending("new")))
        #expect(try await other.plan(in: context).created == [folder.appending("new")])
        #expect(try !FileSystem().exists(folder.appending("new")))
    }
}
