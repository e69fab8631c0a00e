import SystemPackage
public import ValiseAccounts
import ValiseFiles
import ValiseJobQueue

/// Completes or rolls back an interrupted change of an account. Every operation that changes an account does this first; this
/// one does nothing else, and closes the job that was kept for it.
public struct RecoverAccount: Operation {
    package var account: AccountLocation

    /// - Parameter account: the account with the interrupted operation.
    public init(_ account: AccountLocation) { self.account = account }

    /// The pending operation; nil for none.
    public func plan(in context: OperationContext) async throws -> OperationRecord? {
        var pending = try await pending(context)
        if case .running = pending?.state {
            // As a run, which says who has the account; unless that has just come to its end.
            try await context.blocking { _ in
                _ = try AccountWriter.lockForPlan(account, fileSystem: FileSystem())
            }
            pending = try await self.pending(context)
        }
        if let pending { return pending }
        return try await context.blocking { _ in
            AccountRecoveryJob.left(of: account, in: queue(context)).map { OperationRecord($0) }
        }
    }

    private func pending(_ context: OperationContext) async throws -> OperationRecord? {
        try await ListOperations([], accounts: [account]).run(in: context).records.first
    }

    /// Nil where there is none, or none that can be used.
    private func queue(_ context: OperationContext) -> JobQueue? {
        context.keepsJobs ? try? UserJobs(context.folders).existing() : nil
    }

    public func run(in context: OperationContext) async throws -> RecoveredAccount {
        try await context.blocking { _ in
            let queue = queue(context)
            if let left = AccountRecoveryJob.left(of: account, in: queue),
                let job = JobKinds.operation(of: left) as? AccountRecoveryJob
            {
                // It knows what was asked for, and what the databases were before.
                let report = try job.complete()
                UserJobs.cancel(AccountRecoveryJob.kind, job.identity, in: queue)
                return report
            }
            let opened = try AccountWriter(account, toChange: false, fileSystem: FileSystem())
            return RecoveredAccount(opened.recovery.map { OperationRecord($0, of: account) }, account)
        }
    }
}

/// The result of a recovery.
public struct RecoveredAccount: OperationReport {
    package let type = "accountRecovered"
    /// The operation that was completed or rolled back; nil if none was pending.
    public let record: OperationRecord?
    /// The folder of the account.
    package let account: String
    /// What had been asked for; nil where that is not known.
    package let change: String?
    /// Nil if no operation was pending.
    public let outcome: JobEnding?
    /// Which passphrase opens the account now; nil where the change was none of the encryption.
    package let passphrase: OpeningPassphrase?
    /// Whether there was nothing to complete or roll back. That says nothing of what the databases hold.
    package var foundNothing: Bool { (outcome ?? .unknown) == .unknown }

    init(_ record: OperationRecord?, _ account: AccountLocation) {
        self.init(
            record, account: account.directory.string, change: nil, record?.ending, passphrase: nil)
    }

    init(
        _ record: OperationRecord?, account: String, change: String?, _ outcome: JobEnding?,
        passphrase: OpeningPassphrase?
    ) {
        self.record = record
        self.account = account
        self.change = change
        self.outcome = outcome
        self.passphrase = passphrase
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(record?.recovery?.state.rawValue, forKey: .state)
        try container.encodeIfPresent(record?.recovery?.operation, forKey: .operation)
        try container.encodeIfPresent(change, forKey: .change)
        try container.encodeIfPresent(outcome, forKey: .outcome)
        try container.encodeIfPresent(passphrase, forKey: .passphrase)
    }

    private enum Key: String, CodingKey {
        case type, state, change, outcome, passphrase
        case operation = "act"
    }
}

extension OperationRecord {
    /// How it ends when an account is recovered.
    var ending: JobEnding { state == .decided ? .completed : .rolledBack }
}
