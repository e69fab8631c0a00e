import FaultInjection
import Testing

@testable import Valise

/// What would be done with moves, and with accounts that were moved.
struct MovePlanTests {
    private let folder: TemporaryFolder
    private let state: FilePath
    private let account: AccountLocation
    private var context: OperationContext { OperationContext(folders: ValiseFolders(state: state)) }

    init() throws {
        folder = try TemporaryFolder("valise-move-plans", inMemory: true)
        state = folder.appending("state")
        account = AccountLocation(directory: folder.appending("account"))
        try FileSystem().makeDirectories(account.directory)
    }

    @Test func `moves under way are cancelled, one by its ID and all by their folder`() async throws {
        let (directory, other) = (account.directory, folder.appending("other"))
        try MoveRecordFixture(state: state).write("a1", to: directory)
        try MoveRecordFixture(state: state).write("b2", to: other)
        try MoveRecordFixture(state: state).write("c3", to: directory, isDamaged: true)
        let ofFolder = try await CancelNamedMove(directory.string).plan(in: context)
        #expect(ofFolder.changes == ["cancel the move a1 of \(directory)"])
        guard case .cancelMove(let move)? = ofFolder.effects.first else {
            Issue.record("\(ofFolder)")
            return
        }
        #expect(move.id == "a1" && move.side == .receiving)
        let ofID = try await CancelNamedMove("b2").plan(in: context)
        #expect(ofID.changes == ["cancel the move b2 of \(other)"])
        let none = try await CancelMove(of: AccountLocation(directory: folder.appending("none")))
            .plan(in: context)
        #expect(none.effects.isEmpty)
        #expect(
            PlannedChanges("moveCancel", none.changes).text == "nothing would change",
            "a plan without effects says so")
    }

    @Test func `a record is removed by its ID, also one that cannot be read`() async throws {
        try MoveRecordFixture(state: state).write("a1", to: account.directory, isFinished: true)
        try MoveRecordFixture(state: state).write("b2", to: account.directory)
        try MoveRecordFixture(state: state).write("c3", to: account.directory, isDamaged: true)
        let refused = await #expect(throws: DeviceMigrationError.self) {
            try await ForgetMove("b2").plan(in: context)
        }
        #expect(refused?.kind == .wrongState)
        #expect(
            try await ForgetMove("a1").plan(in: context).changes
                == ["remove the record of the move of \(account.directory) from another machine"])
        #expect(try await ForgetMove("c3").plan(in: context).changes == ["remove the record of the move c3"])
        let missing = await #expect(throws: OperationError.self) {
            try await ForgetMove("d4").plan(in: context)
        }
        #expect(missing?.code == .notFound)
    }

    @Test func `a retired account is removed, or restored with a warning that has the date`() async throws {
        let (removal, restoration) = (RemoveRetired(account), RestoreRetired(account))
        await #expect(throws: OperationError.self) { try await removal.plan(in: context) }
        await #expect(throws: OperationError.self) { try await restoration.plan(in: context) }
        try RetiredMark(moved: "2026-01-31T12:00:00Z", words: nil, tool: nil)
            .write(account, fileSystem: FileSystem())
        let removed = try await removal.plan(in: context)
        #expect(removed.changes == ["remove the retired account in \(account.directory)"])
        #expect(removed.warnings.isEmpty)
        let restored = try await restoration.plan(in: context)
        #expect(restored.changes == ["restore the retired account in \(account.directory)"])
        #expect(restored.warnings.count == 1)
        let start = "this account was moved to another machine on 2026-01-31. If it was used there"
        #expect(restored.warnings.first?.hasPrefix(start) == true, "\(restored.warnings)")
        let unknown = MovePlan(effects: [.restoreRetired(account, moved: nil)])
        #expect(unknown.warnings.first?.hasPrefix("this account was moved to another machine. If") == true)
    }

    @Test func `the end of a move is told step by step`() {
        let retiring = MovePlan(effects: [
            .compareWords(areGiven: true), .deleteUpload, .retireAccount(account),
        ])
        #expect(
            retiring.changes == [
                "compare the given words", "delete the upload from the relays",
                "retire the account in \(account.directory)",
            ])
        let removing = MovePlan(effects: [.compareWords(areGiven: false), .removeAccount(account)])
        #expect(
            removing.changes == [
                "compare the words of the other machine", "remove the account in \(account.directory)",
            ])
    }

    @Test func `an account that was not sent has no move to finish, by its plan either`() async throws {
        let operation = FinishMove(of: account, asking: { throw Interruption() })
        let error = await #expect(throws: OperationError.self) { try await operation.plan(in: context) }
        #expect(error?.code == .notFound && error?.need == .sending)
    }
}
