import FaultInjection
import Testing

@testable import Valise

/// Accounts that are restored from snapshots: into new folders, and in the place of others.
struct RestoreSnapshotTests {
    private let fixture: SnapshotFixture
    private var account: AccountLocation { fixture.account }

    init() throws { fixture = try SnapshotFixture() }

    @Test func `a restored account is the one that was backed up`() async throws {
        let id = try fixture.backUp()
        let plan = try await fixture.restore(id, to: "new").plan(in: fixture.context())
        #expect(plan.makesDirectory && plan.needsPassphrase && !plan.replacesAccount && plan.refusal == nil)
        #expect(try !fixture.fileSystem.exists(fixture.folder.appending("new")))
        let restored = try await fixture.restore(id, to: "new").run(in: fixture.context())
        #expect(restored.entryFailures.isEmpty && restored.databases.map(\.isEncrypted) == [true, true])
        #expect(plan.files == restored.files + 2 && plan.size == restored.size)
        let compared = try await fixture.compare(account.directory, fixture.folder.appending("new"))
        #expect(compared.isSame && compared.relation == .identical)
    }

    @Test func `a passphrase that nobody knows is asked for, and a new one can be given`() async throws {
        try fixture.backUp()
        _ = try await fixture.restore("latest", to: "asked", key: nil).run(in: fixture.context())
        let asked = try await fixture.compare(
            account.directory, fixture.folder.appending("asked"), SnapshotFixture.newKey)
        #expect(asked.isSame)
        var operation = try fixture.restore("latest", to: "given", key: nil)
        operation.newPassphrase = .secret(try SnapshotFixture.secret("too easy"))
        await #expect(throws: OperationError.self) { _ = try await operation.run(in: fixture.context()) }
        #expect(try !fixture.fileSystem.exists(fixture.folder.appending("given")))
        operation.options.allowsWeak = true
        _ = try await operation.run(in: fixture.context())
        #expect(
            try await fixture.compare(account.directory, fixture.folder.appending("given"), "too easy").isSame
        )
    }

    @Test func `unencrypted databases are asked about`() async throws {
        try fixture.backUp()
        let operation = try fixture.restore("latest", to: "open", key: nil) { $0.isUnencrypted = true }
        await #expect(throws: OperationError.self) {
            _ = try await operation.run(in: fixture.context(RecordedAnswers(nil)))
        }
        #expect(try !fixture.fileSystem.exists(fixture.folder.appending("open")))
        let restored = try await operation.run(in: fixture.context(RecordedAnswers(true)))
        #expect(restored.databases.map(\.isEncrypted) == [false, false])
        #expect(try await fixture.compare(account.directory, fixture.folder.appending("open")).isSame)
    }

    // MARK: In the place of an account

    @Test func `an account is replaced only where that is asked for, and after a question`() async throws {
        try fixture.backUp()
        await #expect {
            _ = try await fixture.restore("latest", to: "account").run(in: fixture.context())
        } throws: {
            guard case .replaceAccount? = ($0 as? OperationError)?.remedy else { return false }
            return true
        }
        let answers = RecordedAnswers(true)
        let restored = try await fixture.restore("latest", to: "account") { $0.replacesAccount = true }
            .run(in: fixture.context(answers))
        #expect(restored.replacedAccount && restored.age?.verdict == .same)
        guard case .replaceAccount(_, warning: nil)? = answers.asked.first else {
            Issue.record("\(answers.asked)")
            return
        }
    }

    @Test func `an account that is newer than the snapshot is lost by no answer but one to the warning`()
        async throws
    {
        try fixture.backUp()
        try fixture.use(account)
        let operation = try fixture.restore("latest", to: "account") { $0.replacesAccount = true }
        let plan = try await operation.plan(in: fixture.context())
        #expect(plan.age?.verdict == .older && (plan.refusal as? OperationError)?.need == .olderState)
        await #expect {
            _ = try await operation.run(in: fixture.context(AgreedBefore()))
        } throws: {
            ($0 as? OperationError)?.need == .olderState
        }
        let declining = RecordedAnswers(false)
        await #expect(throws: OperationError.self) {
            _ = try await operation.run(in: fixture.context(declining))
        }
        guard case .replaceAccount(_, warning: let warning?)? = declining.asked.first else {
            Issue.record("\(declining.asked)")
            return
        }
        #expect(warning.contains("the snapshot is older") && warning.contains("ratchets"))
        var accepting = operation
        accepting.options.acceptsOlder = true
        let restored = try await accepting.run(in: fixture.context(AgreedBefore()))
        #expect(restored.age?.verdict == .older && restored.replacedAccount)
    }

    @Test func `the previous account is kept, and is what it was`() async throws {
        try fixture.backUp()
        try fixture.use(account)
        let restored = try await fixture.restore("latest", to: "account") {
            $0.replacesAccount = true
            $0.keepsPreviousAs = "before"
        }.run(in: fixture.context())
        #expect(restored.keptPrevious?.isIntact == true)
        let before = account.directory.appending("before")
        let compared = try await fixture.compare(account.directory, before)
        #expect(!compared.isSame && compared.relation != .unknown)
        _ = try await fixture.restore("latest", to: "again").run(in: fixture.context())
        let again = try await fixture.compare(account.directory, fixture.folder.appending("again"))
        #expect(again.databases.allSatisfy { $0.isSame })
    }

    /// Says yes before it is asked, as `--yes` does.
    private struct AgreedBefore: SettledQuestions {
        func isAgreed(before question: Question) throws -> Bool { true }
        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }
        func answer(_ question: Question) async throws -> Bool? { true }
    }

    // MARK: Parts

    @Test func `media that are missing come back, and nothing else is touched`() async throws {
        try fixture.backUp()
        let names = try fixture.fileSystem.list(account.filesFolder).compactMap(\.name).sorted()
        let (lost, changed) = (
            account.filesFolder.appending(names[0]), account.filesFolder.appending(names[1])
        )
        let content = try fixture.fileSystem.contents(of: lost, limit: 1 << 30)
        try fixture.fileSystem.remove(lost)
        try fixture.fileSystem.replace(changed, with: [1])
        let before = try FileSource(account.path(of: .chat)).bytes(at: 0, upTo: 4096)
        let restored = try await fixture.restore("latest", to: "account", key: nil) {
            $0.patterns = ["media/*"]
        }.run(in: fixture.context())
        #expect(restored.files == 1 && restored.skipped == names.count - 1 && restored.databases.isEmpty)
        #expect(try fixture.fileSystem.contents(of: lost, limit: 1 << 30) == content)
        #expect(try fixture.fileSystem.contents(of: changed, limit: 10) == [1])
        #expect(try FileSource(account.path(of: .chat)).bytes(at: 0, upTo: 4096) == before)
        let again = try await fixture.restore("latest", to: "account", key: nil) {
            $0.patterns = ["media/*"]
        }.run(in: fixture.context())
        #expect(again.files == 0 && again.skipped == names.count)
    }

    @Test func `one database goes into a new folder, and never beside the other one`() async throws {
        try fixture.backUp()
        await #expect(throws: OperationError.self) {
            _ = try await fixture.restore("latest", to: "account") { $0.databases = [.chat] }
                .run(in: fixture.context())
        }
        let restored = try await fixture.restore("latest", to: "chat") { $0.databases = [.chat] }
            .run(in: fixture.context())
        #expect(restored.databases.map(\.database) == [.chat] && restored.files == 0)
        #expect(
            try fixture.fileSystem.list(fixture.folder.appending("chat")).compactMap(\.name)
                == ["simplex_v1_chat.db"])
    }

    @Test func `latest is the newest one of the account in the folder`() async throws {
        let id = try fixture.backUp()
        let other = AccountLocation(directory: fixture.folder.appending("copy"))
        _ = try await fixture.restore(id, to: "copy").run(in: fixture.context())
        let later = try fixture.backUp(of: other)
        let own = try await fixture.restore("latest", to: "account") { $0.replacesAccount = true }
            .plan(in: fixture.context())
        #expect(own.snapshot.shortID == id)
        let new = try await fixture.restore("latest", to: "new").plan(in: fixture.context())
        #expect(new.snapshot.shortID == later)
    }
}
