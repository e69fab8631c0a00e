import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseJobQueue

/// Completing or cleaning up what an interrupted change of an account leaves: the job of every change that cannot be gone
/// on with otherwise, because its passphrase is nowhere.
struct AccountRecoveryAct: JobbedAct {
    static let kind = "account.recover"
    static let queue = JobQueueName.maintenance

    private let account: JobAccount
    /// Such as `change of the passphrase`.
    private let change: String
    /// Nil in jobs of older versions, like ``former``.
    private let kindOfChange: AccountChangeKind?
    /// The databases before the change.
    private let former: DatabaseMarks?

    init(_ location: AccountLocation, after change: String, _ kind: AccountChangeKind) throws {
        account = JobAccount(location)
        self.change = change
        kindOfChange = kind
        former = try DatabaseMarks(location)
    }

    var title: String { "\(change) in \(account.name)" }
    var identity: [String] { [account.identity] }
    var remains: String? { "the next command that changes this account completes it or cleans up" }

    /// Stays only where something is left to complete or to remove.
    func fate(after error: any Error) -> ActFate {
        let isPending = (try? AccountRecovery.pending(account.location)) != nil
        return isPending ? .interrupted : .gone((error as? any Failure)?.text ?? "\(error)")
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        let recovery = try await BlockingAct.run(context.progress) { _ in
            try AccountWriter.complete(account.location)
        }
        let ending = try ending(recovery)
        let passphrase = try kindOfChange.flatMap { try OpeningPassphrase($0, ending, account.location) }
        return ActResult(
            json: try JSONText.encode(
                AccountRecoveryResult(recovery, change: change, ending, passphrase: passphrase)),
            text: text(recovery, ending, passphrase), ending: ending)
    }

    /// Where nothing was left, another command has completed or cleaned up, or the run was killed at its very beginning or
    /// end: then the databases tell.
    private func ending(_ recovery: AccountRecovery?) throws -> JobEnding {
        switch recovery?.state {
        case .after: return .completed
        case .before: return .rolledBack
        case nil: break
        }
        guard let kindOfChange, let former else { return .unknown }
        return former.ending(of: kindOfChange, now: try DatabaseMarks(account.location))
    }

    private func text(
        _ recovery: AccountRecovery?, _ ending: JobEnding, _ passphrase: OpeningPassphrase?
    ) -> String {
        let sentence =
            switch ending {
            case .completed: recovery?.done.text ?? "the \(change) is in place"
            case .rolledBack:
                recovery?.done.text ?? "the \(change) had not begun; the account is as it was before it"
            case .unknown: "nothing was left to clean up; the account is intact"
            }
        return (["\(account.name): \(sentence)"] + (passphrase.map { [$0.sentence(ending)] } ?? []))
            .joined(separator: "\n")
    }
}

/// What was completed or cleaned up.
struct AccountRecoveryResult: Encodable {
    let type = "accountRecovered"
    let state: String?
    let act: String?
    /// What had been asked for; nil where that is not known.
    let change: String?
    /// Nil where nothing was left.
    let outcome: JobEnding?
    /// Which passphrase opens the account now; nil where the change was none of the encryption.
    let passphrase: OpeningPassphrase?

    init(_ recovery: AccountRecovery?) {
        let outcome: JobEnding? = recovery.map { $0.state == .after ? .completed : .rolledBack }
        self.init(recovery, change: nil, outcome, passphrase: nil)
    }

    init(
        _ recovery: AccountRecovery?, change: String?, _ outcome: JobEnding?,
        passphrase: OpeningPassphrase?
    ) {
        state = recovery?.state.rawValue
        act = recovery?.act
        self.change = change
        self.outcome = outcome
        self.passphrase = passphrase
    }
}

extension JobbedWork {
    /// Runs a change of an account that only the one who asked for it can begin again: a later run completes it where it
    /// was decided, and cleans up where it was not.
    ///
    /// - Parameters:
    ///   - change: in a few words, such as `change of the passphrase`.
    ///   - kind: what it does to the databases.
    ///   - isDryRun: for acts that change nothing, which run without a job.
    static func recoverably<Value>(
        _ change: String, _ kind: AccountChangeKind = .content, of location: AccountLocation,
        isDryRun: Bool = false, _ output: OutputOptions,
        _ body: () throws -> Value
    ) throws -> Value {
        if isDryRun { return try body() }
        return try run(AccountRecoveryAct(location, after: change, kind), output) { _ in try body() }
    }
}
