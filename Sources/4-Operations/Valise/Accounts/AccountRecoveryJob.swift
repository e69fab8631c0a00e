import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseJobQueue

/// Completing or cleaning up what an interrupted change of an account leaves: the job of every change that cannot be resumed
/// otherwise, because its passphrase is nowhere.
struct AccountRecoveryJob: DurableOperation {
    static let kind = "account.recover"
    static let queue = JobQueueName.maintenance

    private let account: JobAccount
    /// Such as `passphrase change`.
    private let change: String
    /// Nil in jobs of older versions, like ``previous``.
    private let kindOfChange: AccountChangeKind?
    /// The databases before the change.
    private let previous: DatabaseMarks?

    private enum CodingKeys: String, CodingKey {
        case account, change, kindOfChange
        case previous = "former"
    }

    init(_ location: AccountLocation, after change: String, _ kind: AccountChangeKind) throws {
        account = JobAccount(location)
        self.change = change
        kindOfChange = kind
        previous = try DatabaseMarks(location)
    }

    var title: String { "\(change) in \(account.name)" }
    var identity: [String] { [account.identity] }
    var paths: [FilePath] { [account.location.directory] }
    var targets: [MarkedFile] { account.location.marked(previous?.files ?? []) }
    var leftovers: JobLeftovers? { .pendingChange }

    /// Stays only where something is left to complete or to remove.
    func disposition(after error: any Error, remedies: RemedyWords) -> JobDisposition {
        let isPending = (try? AccountRecovery.pending(account.location)) != nil
        return isPending
            ? .interrupted : .gone((error as? any Failure)?.description(remedies: remedies) ?? "\(error)")
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        let report = try await context.operation.blocking { _ in try complete() }
        return try context.result(report, ending: report.outcome)
    }

    /// The job of an account that no process runs; nil for none.
    static func left(of location: AccountLocation, in queue: JobQueue?) -> Job? {
        let key = JobKey.text([JobAccount(location).identity])
        let found = (try? queue?.jobs(.open(kind, key))) ?? []
        return found.first { $0.state != .running || $0.isLeft }
    }

    func complete() throws -> RecoveredAccount {
        let record = try AccountWriter.complete(account.location).map {
            OperationRecord($0, of: account.location)
        }
        let ending = try ending(record)
        let passphrase = try kindOfChange.flatMap { try OpeningPassphrase($0, ending, account.location) }
        return RecoveredAccount(
            record, account: account.name, change: change, ending, passphrase: passphrase)
    }

    /// Where nothing was left, another run has completed or cleaned up, or the run was killed at its very beginning or
    /// end: then the databases tell.
    private func ending(_ record: OperationRecord?) throws -> JobEnding {
        if let record { return record.ending }
        guard let kindOfChange, let previous else { return .unknown }
        return previous.ending(of: kindOfChange, now: try DatabaseMarks(account.location))
    }
}

extension OperationContext {
    /// Runs a change of an account that only the user can begin again: a later run completes it where it was decided, and
    /// cleans up where it was not.
    ///
    /// - Parameters:
    ///   - change: in a few words, such as `passphrase change`.
    ///   - kind: what it does to the databases.
    ///   - body: makes the change.
    func recoverably<Value: Sendable>(
        _ change: String, _ kind: AccountChangeKind = .content, of location: AccountLocation,
        _ body: @escaping @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        let job = try AccountRecoveryJob(location, after: change, kind)
        return try await OperationJobs(self).run(job) { context, _ in try await context.blocking(body) }
    }
}
