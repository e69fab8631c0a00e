import Accounts
import Failures
import Files
import JSONCoding
import JobQueue

/// Completing or cleaning up what an interrupted change of an account leaves: the job of every change that cannot be gone
/// on with otherwise, because its passphrase is nowhere.
struct AccountRecoveryAct: JobbedAct {
    static let kind = "account.recover"
    static let queue = JobQueueName.maintenance

    private let account: JobAccount
    /// Such as `change of the passphrase`.
    private let change: String

    init(_ location: AccountLocation, after change: String) {
        account = JobAccount(location)
        self.change = change
    }

    var title: String { "\(change) in \(account.name)" }
    var identity: [String] { [account.identity] }
    var remains: String? { "the next command that changes this account completes it or cleans up" }

    /// Stays only where something is left to complete or to remove.
    func fate(after error: any Error) -> ActFate {
        let isPending = (try? AccountRecovery.pending(account.location)) != nil
        return isPending ? .interrupted : .gone("\(error)")
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        let recovery = try await BlockingAct.run(context.progress) { _ in
            try AccountRecovery.complete(account.location)
        }
        return ActResult(
            json: try JSONText.encode(AccountRecoveryResult(recovery)),
            text: "\(account.name): \(recovery?.doneSentence ?? "nothing was left to clean up")")
    }
}

extension AccountRecovery {
    /// Completes or cleans up what an interrupted change of an account left.
    /// - Returns: nil where nothing was left.
    static func complete(_ location: AccountLocation) throws -> AccountRecovery? {
        let fileSystem = FileSystem()
        guard try pending(location, fileSystem: fileSystem) != nil else { return nil }
        return try OpenedAccount(location, toChange: false, fileSystem: fileSystem).recovery
    }
}

/// What was completed or cleaned up.
struct AccountRecoveryResult: Encodable {
    let type = "accountRecovered"
    let state: String?
    let act: String?

    init(_ recovery: AccountRecovery?) {
        state = recovery?.state.rawValue
        act = recovery?.act
    }
}

extension JobbedWork {
    /// Runs a change of an account that only the one who asked for it can begin again: a later run completes it where it
    /// was decided, and cleans up where it was not.
    ///
    /// - Parameters:
    ///   - change: in a few words, such as `change of the passphrase`.
    ///   - isDryRun: for acts that change nothing, which run without a job.
    static func recoverably<Value>(
        _ change: String, of location: AccountLocation, isDryRun: Bool = false, _ output: OutputOptions,
        _ body: () throws -> Value
    ) throws -> Value {
        if isDryRun { return try body() }
        return try run(AccountRecoveryAct(location, after: change), output) { _ in try body() }
    }
}
