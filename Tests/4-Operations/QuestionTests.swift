import FaultInjection
import Foundation
import TestPeers
import Testing

@testable import Valise

/// What a program is asked by operations that cannot be undone: without a yes nothing is changed, and nobody is asked about what
/// is refused anyway.
struct QuestionTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let folders: ValiseFolders

    /// A raw key, which needs no derivation.
    private static let key = Array("x'\(String(repeating: "5a", count: 32))'".utf8)
    private static let moved = "2026-01-31T12:00:00Z"

    private var passphrase: PassphraseSource { .file(folder.appending("key")) }

    init() throws {
        folder = try TemporaryFolder("valise-questions", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        folders = ValiseFolders(data: folder.appending("data"), state: folder.appending("state"))
        try FileSystem().replace(folder.appending("key"), with: Self.key)
    }

    private func context(_ answers: RecordedAnswers) -> OperationContext {
        OperationContext(folders: folders, questions: answers)
    }

    private func create() async throws {
        _ = try await CreateAccount(account) {
            SharedSecret(try SecretBytes(copying: Self.key))
        }
        .run(in: OperationContext(folders: folders))
    }

    /// Runs an operation where nobody is there to ask, where nobody answers, and with a no.
    /// - Parameters:
    ///   - isExpected: whether it is the question of this operation.
    ///   - isUnchanged: whether all is as it was before.
    private func expectRefusals(
        of operation: some Operation, isExpected: (Question) -> Bool, isUnchanged: () throws -> Bool
    ) async throws {
        for reply in [nil, false] as [Bool?] {
            let answers = RecordedAnswers(reply)
            let asking = context(answers)
            let error = await #expect(throws: OperationError.self) {
                _ = try await operation.run(in: asking)
            }
            let code: FailureCode = reply == nil ? .invalid : .failed
            #expect(error?.need == .agreement && error?.code == code)
            let asked = answers.asked
            #expect(asked.count == 1 && asked.allSatisfy(isExpected), "\(asked)")
            #expect(try isUnchanged())
        }
        let alone = OperationContext(folders: folders)
        let error = await #expect(throws: OperationError.self) { _ = try await operation.run(in: alone) }
        #expect(error?.need == .agreement && error?.code == .invalid)
        #expect(try isUnchanged())
    }

    /// Runs an operation that is refused, whatever would be answered.
    private func expectNoQuestion(of operation: some Operation, _ code: FailureCode) async throws {
        let answers = RecordedAnswers(true)
        let asking = context(answers)
        let error = await #expect(throws: (any Error).self) { _ = try await operation.run(in: asking) }
        #expect((error as? any Failure)?.code == code, "\(String(describing: error))")
        let asked = answers.asked
        #expect(asked.isEmpty, "\(asked)")
    }

    private func contents() throws -> [String: [UInt8]?] {
        try TemporaryFolder.contents(of: account.directory)
    }

    // MARK: Encryption

    @Test func `no account is created without encryption unless that is agreed to`() async throws {
        let operation = CreateAccount(account) { SharedSecret(try SecretBytes.empty()) }
        try await expectRefusals(of: operation) {
            if case .createUnencrypted(account) = $0 { true } else { false }
        } isUnchanged: {
            try !FileSystem().exists(account.directory)
        }
        let created = try await operation.run(in: context(RecordedAnswers(true)))
        #expect(!created.encrypted)
        try await expectNoQuestion(of: operation, .alreadyExists)
    }

    @Test func `the encryption of an account is not removed without consent`() async throws {
        try await create()
        let before = try contents()
        let operation = ChangePassphrase(of: account, from: passphrase)
        try await expectRefusals(of: operation) {
            if case .removeEncryption(account) = $0 { true } else { false }
        } isUnchanged: {
            try contents() == before
        }
        try FileSystem().replace(folder.appending("wrong"), with: Array("another key".utf8))
        let wrong = ChangePassphrase(of: account, from: .file(folder.appending("wrong")))
        try await expectNoQuestion(of: wrong, .wrongPassphrase)
        // What is only looked at is not asked about.
        let answers = RecordedAnswers(nil)
        let planned = try await operation.plan(in: context(answers))
        #expect(!planned.changed && answers.asked.isEmpty)
        let changed = try await operation.run(in: context(RecordedAnswers(true)))
        #expect(changed.changed)
    }

    @Test func `the only stored copy of a passphrase stays without consent`() async throws {
        try await create()
        var forgetting = ForgetPassphrase(of: account.directory)
        forgetting.keyStore = .file(nil)
        try await expectNoQuestion(of: forgetting, .notFound)
        var storing = StorePassphrase(of: account, passphrase: passphrase)
        storing.keyStore = .file(nil)
        _ = try await storing.run(in: context(RecordedAnswers(nil)))
        let (operation, place) = (forgetting, try KeyOwner(account).directory)
        let stored = { try FileSystem().list(folder.appending("data").appending("keys")).count }
        let before = try stored()
        try await expectRefusals(of: operation) {
            if case .forgetOnlyPassphrase(of: place) = $0 { true } else { false }
        } isUnchanged: {
            try stored() == before
        }
        let forgotten = try await operation.run(in: context(RecordedAnswers(true)))
        #expect(forgotten.stores == ["file"])
        #expect(try stored() < before)
    }

    // MARK: Migrations

    @Test func `the databases from before a migration are neither restored nor removed without consent`()
        async throws
    {
        try await create()
        try await expectNoQuestion(of: RollBackMigration(of: account), .notFound)
        try await expectNoQuestion(of: ConfirmMigration(of: account), .notFound)
        let targets: [AccountDatabase: String] = [.chat: "0015_remote_access", .agent: "0010_sent_files"]
        let down = MigrateAccount(account, to: targets, confirmation: .yesUpDown, passphrase: passphrase)
        _ = try await down.run(in: context(RecordedAnswers(nil)))
        let before = try contents()
        let kept = try await ConfirmMigration(of: account).plan(in: context(RecordedAnswers(nil)))
        try await expectRefusals(of: ConfirmMigration(of: account)) {
            if case .confirmMigration(account, kept) = $0 { true } else { false }
        } isUnchanged: {
            try contents() == before
        }
        try await expectRefusals(of: RollBackMigration(of: account)) {
            if case .rollBackMigration(account) = $0 { true } else { false }
        } isUnchanged: {
            try contents() == before
        }
        try await RollBackMigration(of: account).run(in: context(RecordedAnswers(true)))
        let listed = ListMigrations(of: account, passphrase: passphrase)
        #expect(try await listed.run(in: context(RecordedAnswers(nil))).isEmpty)
    }

    // MARK: Moves

    private func retire() async throws {
        try await create()
        try AccountRetirement(account).retire(RetiredMark(moved: Self.moved, words: nil, tool: nil))
    }

    @Test func `a retired account stays without consent`() async throws {
        try await retire()
        let before = try contents()
        try await expectRefusals(of: RemoveRetired(account)) {
            if case .removeRetired(account) = $0 { true } else { false }
        } isUnchanged: {
            try contents() == before
        }
        let removed = try await RemoveRetired(account).run(in: context(RecordedAnswers(true)))
        #expect(!removed.mediaLeft)
        try await expectNoQuestion(of: RemoveRetired(account), .notFound)
    }

    @Test func `a retired account is not used again without consent, and the question has the date`()
        async throws
    {
        try await retire()
        let before = try contents()
        try await expectRefusals(of: RestoreRetired(account)) {
            if case .restoreRetired(account, moved: Self.moved) = $0 { true } else { false }
        } isUnchanged: {
            try contents() == before
        }
        // A program has made a database of the name meanwhile.
        try FileSystem().replace(account.path(of: .chat), with: [1])
        let refused = RecordedAnswers(true)
        let refusing = context(refused)
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await RestoreRetired(account).run(in: refusing)
        }
        #expect(error?.kind == .nameTaken && refused.asked.isEmpty)
        try FileSystem().remove(account.path(of: .chat))
        try await RestoreRetired(account).run(in: context(RecordedAnswers(true)))
        #expect(try FileSystem().exists(account.path(of: .chat)))
    }

    @Test func `the record of a move stays without consent, and nobody is asked about one under way`()
        async throws
    {
        let state = folder.appending("state")
        let records = MoveRecordFixture(state: state)
        try records.write("a1", to: account.directory)
        try records.write("c3", to: account.directory, isDamaged: true)
        let place = state.appending("moves").appending("c3")
        try await expectRefusals(of: ForgetMove("c3")) {
            if case .forgetMove(let record) = $0 { record.move?.id == "c3" } else { false }
        } isUnchanged: {
            try FileSystem().exists(place)
        }
        try await ForgetMove("c3").run(in: context(RecordedAnswers(true)))
        #expect(try !FileSystem().exists(place))
        try await expectNoQuestion(of: ForgetMove("c3"), .notFound)
        let answers = RecordedAnswers(true)
        let asking = context(answers)
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await ForgetMove("a1").run(in: asking)
        }
        #expect(error?.kind == .wrongState && answers.asked.isEmpty)
    }

    // MARK: Files

    @Test func `no file is deleted from its relays without consent`() async throws {
        let description = FilePath(
            Repository.fixture("transfers/files/size-100/snd.xftp.private").path(percentEncoded: false))
        try await expectRefusals(of: DeleteFiles([description])) {
            if case .deleteFiles([description]) = $0 { true } else { false }
        } isUnchanged: {
            // The journal of a deletion would be there.
            try !FileSystem().exists(folder.appending("state"))
        }
        try await expectNoQuestion(of: DeleteFiles([folder.appending("none.xftp")]), .notFound)
    }
}
