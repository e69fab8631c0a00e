import FaultInjection
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseBackups
import ValiseRepository
import ValiseSessionStore
import ValiseStorage

@testable import Valise

/// Stores of Session as sources of snapshots.
struct SessionBackupTests {
    private let fixture: SessionBackupFixture

    init() throws { fixture = try SessionBackupFixture() }

    private func secret(_ text: String) throws -> PassphraseSource.Given {
        .secret(try BackupRunFixture.secret(text))
    }

    // MARK: Whole stores

    @Test func `a profile with a log comes back byte for byte, without the caches`() async throws {
        try fixture.writeDesktop()
        let before = try TemporaryFolder.contents(of: fixture.desktop)
        let report = try await fixture.backUp(fixture.desktop)
        #expect(try TemporaryFolder.contents(of: fixture.desktop) == before)
        #expect(report.problems.isEmpty && report.leftOut.isEmpty && report.holder == nil)
        let facts = try #require(report.session)
        #expect(facts.kind == .desktop && facts.isOpened && facts.schema == 54 && facts.userVersion == 11)
        #expect(facts.messages == Int64(SessionBackupFixture.story.messages.count))
        #expect(facts.attachments > 0)
        let expected = try fixture.contents(fixture.desktop)
        #expect(expected["sql/db.sqlite-wal"]?.isEmpty == false && expected["config.json"] != nil)
        let restored = try await fixture.restore()
        #expect(restored.session?.messages == facts.messages && !restored.hasEntryErrors)
        let folder = fixture.folder.appending("restored")
        let found = try TemporaryFolder.contents(of: folder)
        #expect(found.compactMapValues { $0 } == expected)
        for (name, content) in found {
            let path = folder.pushing(FilePath(name))
            let permissions = try #require(try fixture.fileSystem.attributes(of: path)).permissions
            #expect(permissions.rawValue == (content == nil ? 0o700 : 0o600), "\(name)")
        }
        let list = try await ListConversations(ConversationInput(folder)).run(in: fixture.base.context)
        #expect(!list.conversations.isEmpty)
        #expect(!fixture.base.takeNotes().contains { $0.contains("not known") })
    }

    @Test func `a folder of a phone comes back, proved with the key in a file`() async throws {
        try fixture.writePhone(hasIndex: true)
        let key = PassphraseSource.Given.file(fixture.folder.appending("key"))
        let report = try await fixture.backUp(fixture.phone, key)
        let facts = try #require(report.session)
        #expect(facts.kind == .phone && facts.isOpened && facts.schema == 48)
        let expected = try fixture.contents(fixture.phone)
        #expect(expected["database/Session.sqlite-wal"]?.isEmpty == false)
        let restored = try await fixture.restore(to: "restored", key)
        #expect(restored.session?.databaseOpened == true)
        let found = try TemporaryFolder.contents(of: fixture.folder.appending("restored"))
        #expect(found.compactMapValues { $0 } == expected)
    }

    @Test func `without a key the bytes are kept, and it is told`() async throws {
        try fixture.writePhone()
        let report = try await fixture.backUp(fixture.phone)
        #expect(report.session?.isOpened == false && report.session?.messages == nil)
        #expect(fixture.base.takeNotes().contains { $0.contains("the copy was not opened") })
        _ = try await fixture.restore()
        #expect(
            try fixture.contents(fixture.folder.appending("restored")) == fixture.contents(fixture.phone))
        #expect(fixture.base.takeNotes().contains { $0.contains("the copy was not opened") })
    }

    @Test func `a program that may be running needs the key`() async throws {
        try fixture.writePhone(hasIndex: true)
        // Nobody can be asked.
        await #expect(throws: OperationError.self) { try await fixture.backUp(fixture.phone) }
        #expect(try fixture.base.snapshots().isEmpty)
    }

    @Test func `a profile with a password is proved with it, and refused with another`() async throws {
        try fixture.writeDesktop(.password("pass word"))
        #expect(try await fixture.backUp(fixture.desktop).session?.isOpened == false)
        #expect(
            try await fixture.backUp(fixture.desktop, secret("pass word")).session?.isOpened == true)
        let error = await #expect(throws: SessionStoreError.self) {
            try await fixture.backUp(fixture.desktop, secret("another"))
        }
        #expect(error?.kind == .wrongKey)
        let refused = await #expect(throws: SessionStoreError.self) {
            try await fixture.restore(to: "wrong", secret("another"))
        }
        #expect(refused?.subject?.hasPrefix("\(fixture.folder.appending("wrong"))/") == true)
        #expect(try !fixture.fileSystem.exists(fixture.folder.appending("wrong")))
        _ = try await fixture.restore(to: "right", secret("pass word"))
        #expect(try fixture.fileSystem.exists(fixture.folder.appending("right/config.json")))
    }

    // MARK: More than one run

    @Test func `attachments that did not change are not read again`() async throws {
        try fixture.writeDesktop()
        let first = try await fixture.backUp(fixture.desktop)
        // They cannot be read any more, which nobody notices.
        let attachments = DesktopBuilder.attachments(fixture.desktop)
        let hidden = try TemporaryFolder.contents(of: attachments).keys.filter { !$0.hasSuffix("/") }
        #expect(!hidden.isEmpty)
        let connection = try Connection(
            DesktopBuilder.database(fixture.desktop), mode: .shared,
            passphrase: SecretBytes(copying: Array(DesktopBuilder().passphrase.utf8)))
        try connection.execute("INSERT INTO items VALUES ('later', '{}')")
        let second = try await fixture.backUp(fixture.desktop)
        #expect(second.parent == first.snapshot && second.files.new == 0)
        #expect(second.files.unchanged == hidden.count + 2)
        #expect(second.addedSize < first.addedSize / 2, "\(second.addedSize) of \(first.addedSize)")
        let list = try await ListSnapshots(in: try fixture.base.input()).run(in: fixture.base.context)
        #expect(list.snapshots.map(\.paths) == [[fixture.desktop.string], [fixture.desktop.string]])
    }

    @Test func `an interrupted run leaves no snapshot, and the next one is whole`() async throws {
        try fixture.writeDesktop()
        let operation = try fixture.operation(fixture.desktop)
        let task = Task { [context = fixture.base.context] in try await operation.run(in: context) }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(try fixture.base.snapshots().isEmpty)
        _ = try await fixture.backUp(fixture.desktop)
        _ = try await fixture.restore()
        #expect(
            try fixture.contents(fixture.folder.appending("restored")) == fixture.contents(fixture.desktop))
    }

    @Test func `a plan writes nothing and says the same`() async throws {
        try fixture.writeDesktop()
        let before = try TemporaryFolder.contents(of: fixture.folder.path)
        let plan = try await fixture.operation(fixture.desktop).plan(in: fixture.base.context)
        let planned = try #require(plan.accounts.first?.snapshot)
        #expect(planned.snapshot == nil && planned.session?.isOpened == true)
        #expect(try TemporaryFolder.contents(of: fixture.folder.path) == before)
        #expect(try await fixture.backUp(fixture.desktop).files == planned.files)
    }

    // MARK: What is wrong

    @Test func `a damaged database is refused, and kept where that is asked for`() async throws {
        try fixture.writeDesktop(hasLog: false)
        let path = DesktopBuilder.database(fixture.desktop)
        var bytes = try fixture.fileSystem.contents(of: path, limit: 1 << 24)
        bytes[4096 * 5 + 100] ^= 1
        try fixture.fileSystem.replace(path, with: bytes)
        let error = await #expect(throws: BackupError.self) { try await fixture.backUp(fixture.desktop) }
        #expect(error?.code == .damaged)
        var operation = try fixture.operation(fixture.desktop)
        operation.keepsDamaged = true
        let report = try #require(
            try await operation.run(in: fixture.base.context).accounts.first?.snapshot)
        #expect(report.isPartial && report.problems.map(\.entry) == ["sql/db.sqlite"])
    }

    @Test func `an attachment that vanishes is told, and all else is kept`() async throws {
        try fixture.writeDesktop()
        let attachments = DesktopBuilder.attachments(fixture.desktop)
        try fixture.fileSystem.makeSymbolicLink(attachments.appending("link"), to: "nowhere")
        try fixture.fileSystem.replace(attachments.appending("late"), with: [1])
        let place = try #require(try SessionSource.find(fixture.desktop))
        let source = try await SessionSource(place, PassphraseSource(), in: fixture.base.context)
        let kept = try source.files(in: [fixture.folder.path]) { _ in }
        try fixture.fileSystem.remove(attachments.appending("late"))
        let report = try SnapshotWriter(.session(kept.files), in: fixture.base.opened()).run(passphrase: nil)
        #expect(report.leftOut == ["attachments.noindex/link"] && report.isPartial)
        #expect(report.problems.map(\.entry) == ["attachments.noindex/late"])
        let restored = try await fixture.restore()
        #expect(restored.entryFailures.map(\.entry) == ["attachments.noindex/late"])
        extendLifetime(kept)
    }

    @Test func `nothing is restored over what is there`() async throws {
        try fixture.writeDesktop()
        try await fixture.backUp(fixture.desktop)
        let before = try TemporaryFolder.contents(of: fixture.desktop)
        for isReplacing in [false, true] {
            let error = await #expect(throws: OperationError.self) {
                try await fixture.restore(to: "Session") { $0.replacesAccount = isReplacing }
            }
            #expect(error?.code == .alreadyExists)
        }
        #expect(try TemporaryFolder.contents(of: fixture.desktop) == before)
    }

    // MARK: Other operations

    @Test func `a snapshot is shown, compared, drilled and verified`() async throws {
        try fixture.writeDesktop()
        try await fixture.backUp(fixture.desktop)
        try fixture.fileSystem.replace(
            DesktopBuilder.attachments(fixture.desktop).appending("new"), with: [1, 2])
        try await fixture.backUp(fixture.desktop)
        let (input, context) = (try fixture.base.input(), fixture.base.context)
        let shown = try await ShowSnapshot("latest", in: input).run(in: context)
        #expect(shown.account?.session?.kind == "session-desktop" && shown.account?.mode == "sealed")
        #expect(shown.files.contains { $0.name == "sql/db.sqlite-wal" && $0.role == .other })
        let ids = try fixture.base.snapshots().map(\.id.text)
        let compared = try await CompareSnapshots(ids[0], ids[1], in: input).run(in: context)
        #expect(!compared.comparison.isSame && compared.comparison.unreadable == 0)
        let drills = try await DrillSnapshot(input).run(in: context)
        let drill = try #require(drills.drills.first)
        #expect(drill.outcome == .passed && drill.method == .restored, "\(drill.failure ?? "")")
        #expect(drill.session?.databaseOpened == true && drill.path == fixture.desktop.string)
        #expect(drills.drills.count == 1 && drills.skipped.isEmpty)
        let verified = try await VerifyRepository(input).run(in: context)
        #expect(!verified.hasEntryErrors)
        let status = try await ShowBackupStatus(
            input, accounts: [BackUpAccounts.Account(fixture.desktop)]
        ).run(in: context)
        let account = try #require(status.accounts.first)
        #expect(status.accounts.count == 1 && account.name == fixture.desktop.string)
        let all = try await ShowBackupStatus(input).run(in: context)
        #expect(all.accounts.map(\.name) == [fixture.desktop.string])
    }

    @Test(.enabled(if: OtherProgram.isThere("restic")))
    func `plain restic restores the same bytes`() async throws {
        try fixture.writeDesktop()
        try await fixture.backUp(fixture.desktop)
        let restic = try #require(OtherProgram("restic"))
        let folder = fixture.folder
        try fixture.fileSystem.replace(
            folder.appending("password"), with: Array(BackupRunFixture.password.utf8))
        let (status, output) = try restic.run([
            "-r", folder.appending("repository").string, "-p", folder.appending("password").string,
            "--no-cache", "restore", "latest", "--target", folder.appending("restic").string,
        ])
        #expect(status == 0, "\(output)")
        let found = try fixture.contents(folder.appending("restic/Session")).filter {
            !$0.key.hasPrefix(".valise/")
        }
        #expect(found == (try fixture.contents(fixture.desktop)))
    }
}
