import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseBackups
import ValiseFailures
import ValiseFiles
import ValiseSessionStore
import ValiseStorage

@testable import Valise

/// What a restore and a drill say of stores of Session that are not in order, or that another key opens.
struct SessionDrillTests {
    private let fixture: SessionBackupFixture

    init() throws { fixture = try SessionBackupFixture() }

    private func secret(_ text: String) throws -> PassphraseSource.Given {
        .secret(try BackupRunFixture.secret(text))
    }

    // MARK: Damage

    @Test func `what was damaged when it was backed up comes back as it is, and a drill fails`() async throws
    {
        try fixture.writeDesktop(hasLog: false)
        try damage(DesktopBuilder.database(fixture.desktop))
        var operation = try fixture.operation(fixture.desktop)
        operation.keepsDamaged = true
        let report = try await operation.run(in: fixture.base.context).accounts.first?.snapshot
        #expect(report?.session?.isOpened == false)
        let restored = try await fixture.restore()
        #expect(restored.entryFailures.map(\.entry) == ["sql/db.sqlite"] && restored.hasEntryErrors)
        #expect(
            try fixture.contents(fixture.folder.appending("restored")) == fixture.contents(fixture.desktop))
        let drills = try await DrillSnapshot(try fixture.base.input()).run(in: fixture.base.context)
        #expect(drills.drills.map(\.outcome) == [.damaged])
    }

    @Test func `damage that a restore finds first is told, and the folder is there`() async throws {
        try fixture.writePhone()
        let database = PhoneBuilder.database(fixture.phone)
        try damage(database)
        let report = try await fixture.backUp(fixture.phone)
        #expect(report.session?.isOpened == false && report.problems.isEmpty)
        let key = PassphraseSource.Given.file(fixture.folder.appending("key"))
        let restored = try await fixture.restore(to: "restored", key)
        #expect(restored.entryFailures.map(\.entry) == ["database/Session.sqlite"])
        #expect(restored.entryFailures.first?.reason.sentence.hasPrefix("damaged: ") == true)
        #expect(
            try fixture.contents(fixture.folder.appending("restored")) == fixture.contents(fixture.phone))
        let drill = try await DrillSnapshot(
            try fixture.base.input(), passphrase: PassphraseSource(key)
        ).run(in: fixture.base.context)
        #expect(drill.drills.map(\.outcome) == [.damaged])
    }

    /// In the middle, where no page is in a log.
    private func damage(_ database: FilePath) throws {
        var bytes = try fixture.fileSystem.contents(of: database, limit: 1 << 24)
        bytes[bytes.count / 4096 / 2 * 4096 + 100] ^= 1
        try fixture.fileSystem.replace(database, with: bytes)
    }

    // MARK: Keys

    @Test func `a drill with a wrong password says so`() async throws {
        try fixture.writeDesktop(.password("pass word"))
        try await fixture.backUp(fixture.desktop)
        let right = try await DrillSnapshot(
            try fixture.base.input(), passphrase: PassphraseSource(secret("pass word"))
        ).run(in: fixture.base.context)
        #expect(right.isPassed)
        let wrong = try await DrillSnapshot(
            try fixture.base.input(), passphrase: PassphraseSource(secret("another"))
        ).run(in: fixture.base.context)
        #expect(wrong.drills.map(\.outcome) == [.wrongPassphrase])
        // Nobody can be asked. What the question is about has no private name.
        let input = try fixture.base.input()
        let unasked = await #expect(throws: OperationError.self) {
            try await DrillSnapshot(input).run(in: fixture.base.context)
        }
        #expect(unasked?.description.contains(fixture.desktop.string) == true)
        #expect(unasked?.description.contains("valise-private") == false)
    }

    @Test func `a drill takes the file of a phone's key`() async throws {
        try fixture.writePhone()
        let path = fixture.folder.appending("key")
        // As bytes, not as digits.
        #expect(try fixture.fileSystem.contents(of: path, limit: 100).count == 48)
        try await fixture.backUp(fixture.phone, .file(path))
        let drills = try await DrillSnapshot(
            try fixture.base.input(), passphrase: .file(path)
        ).run(in: fixture.base.context)
        #expect(drills.isPassed && drills.drills.count == 1)
    }

    @Test func `a passphrase that is no key of one account drills the others`() async throws {
        try fixture.writePhone()
        try fixture.writeDesktop(.password("pass word"))
        try await fixture.backUp(fixture.phone, .file(fixture.folder.appending("key")))
        try await fixture.backUp(fixture.desktop, secret("pass word"))
        let drills = try await DrillSnapshot(
            try fixture.base.input(), passphrase: PassphraseSource(secret("pass word"))
        ).run(in: fixture.base.context)
        let outcomes = Dictionary(uniqueKeysWithValues: drills.drills.map { ($0.path, $0.outcome) })
        #expect(
            outcomes == [fixture.phone.string: .wrongPassphrase, fixture.desktop.string: .passed])
    }

    @Test func `errors name what is restored, and no private folder`() throws {
        let inside = FilePath("/private/store")
        let id = try #require(ContentID(Array(repeating: 0xab, count: 32)))
        func subject(_ name: RestoredName, _ error: any Failure) -> String? {
            do {
                try name.inErrors(of: inside) { throw error }
                return nil
            } catch { return (error as? any Failure)?.subject }
        }
        let store = SessionStoreError(.wrongKey, "wrong", "/private/store/sql/db.sqlite")
        #expect(subject(.target("out"), store) == "out/sql/db.sqlite")
        #expect(subject(.ofSnapshot(id), store) == "snapshot abababab: sql/db.sqlite")
        #expect(subject(.target("out"), FileError(.denied, "no", inside)) == "out")
        let partial = FileError(.noSpace, "full", "/private/store.partial/config.json")
        #expect(subject(.ofSnapshot(id), partial) == "snapshot abababab: config.json")
        let other = BackupError(.damaged, "damaged", "sql/db.sqlite")
        #expect(subject(.target("out"), other) == "sql/db.sqlite")
    }
}
