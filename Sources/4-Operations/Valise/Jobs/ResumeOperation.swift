import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseJobQueue
public import ValiseMoves
import ValiseTransfers

/// Resumes an interrupted operation, whatever records it, as ``ListOperations`` found it. It asks what its record does not have:
/// a passphrase, whether relays may be used.
///
/// - A job is run, as by ``ResumeJob``.
/// - An interrupted change of an account is completed or rolled back, as by ``RecoverAccount``.
/// - A move continues with its next step. Only where that needs the words of the other machine, it is for ``FinishMove``.
/// - An upload sends what is missing, over the user's relays; the folder with its descriptions is made beside the file.
/// - A download cannot be resumed without its links, which only its job has, and chunks of a relay whose process was killed lead
///   nowhere: the failure says so, with a remedy.
public struct ResumeOperation: Operation {
    package var record: OperationRecord
    package var user: ResumingUser
    /// Relays are reached through it; nil for direct connections. A job has its own.
    public var proxy: ProxyAddress?
    /// Called with what came of it as soon as that is certain: before a job that is done leaves the list, and before an account
    /// that was sent is served. Never for a job that is not done.
    public var ended: @Sendable (ResumedOperation) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - record: the operation to resume.
    ///   - user: the passphrase and approvals to use.
    public init(_ record: OperationRecord, for user: ResumingUser = ResumingUser()) {
        self.record = record
        self.user = user
    }

    /// The operation as it is now, and what it works on.
    ///
    /// - Throws: ``OperationError`` with `notFound` where nothing is left of it, and as ``run(in:)`` where it cannot be resumed.
    public func plan(in context: OperationContext) async throws -> OperationRecord {
        switch record.origin {
        case .job(let job): return try await ResumeJob(job.id).plan(in: context)
        case .account(_, let account):
            guard let pending = try await RecoverAccount(account).plan(in: context) else { throw isOver }
            return pending
        case .move: return try await resumable([.moves], context)
        case .upload: return try await resumable([.jobs, .uploads], context)
        case .download: throw linksMissing
        case .servedRelay(let folder): throw relayKilled(folder, context)
        }
    }

    public func run(in context: OperationContext) async throws -> ResumedOperation {
        switch record.origin {
        case .job(let job):
            var operation = ResumeJob(job.id, for: user)
            operation.ended = { [ended] in try await ended(.job($0)) }
            return .job(try await operation.run(in: context))
        case .account(_, let account):
            return try await end(.account(RecoverAccount(account).run(in: context)))
        case .move:
            guard let move = try await plan(in: context).move else { throw isOver }
            return try await resume(move, context)
        case .upload:
            guard let upload = try await plan(in: context).upload else { throw isOver }
            return try await end(.upload(InterruptedSending(upload, proxy).run(in: context)))
        case .download: throw linksMissing
        case .servedRelay(let folder): throw relayKilled(folder, context)
        }
    }

    func end(_ resumed: ResumedOperation) async throws -> ResumedOperation {
        try await ended(resumed)
        return resumed
    }

    // MARK: Whether it can be resumed

    /// The record as it is now, where that says enough to resume it.
    private func resumable(
        _ kinds: Set<ListOperations.Kind>, _ context: OperationContext
    ) async throws -> OperationRecord {
        // What a job has by now is the job's to resume.
        let listed = try await ListOperations(kinds, includesEnded: true).run(in: context).records
        guard let found = listed.first(where: { $0.id == record.id }) else { throw isOver }
        if case .running(let process) = found.state {
            throw OperationError(
                .inUse, "another process is running this operation", subject: found.title,
                remedy: process.map { Remedy.waitFor($0) } ?? .tryLater)
        }
        if let move = found.move { _ = try move.nextStep(in: context.folders) }
        if let upload = found.upload {
            if upload.isDamaged {
                throw OperationError(
                    .damaged, "the journal of this upload cannot be read", subject: upload.id,
                    remedy: .startTransferOver)
            }
            if let replaced = found.places.first(where: \.isReplaced) {
                throw UserNeeded(.replacedSource(replaced.path.string))
            }
        }
        return found
    }

    private var isOver: OperationError {
        OperationError(.notFound, "nothing is left of this operation to resume", subject: record.title)
    }

    private var linksMissing: OperationError {
        OperationError(
            .invalid,
            "a download is resumed with its links, which are not recorded. What was received is kept.",
            subject: record.places.first?.path.string, need: .links, remedy: .giveCommandAgain)
    }

    private func relayKilled(_ folder: FilePath, _ context: OperationContext) -> OperationError {
        // Those of files are in the folder itself, those of moves one deeper.
        let isOfFiles = folder.removingLastComponent() == context.folders.state
        return OperationError(
            .gone, record.reason ?? "nobody can receive from this relay anymore", subject: folder.string,
            remedy: isOfFiles ? .sendFileAgain : .giveCommandAgain)
    }
}

/// What came of an operation that was resumed.
public enum ResumedOperation: Sendable {
    /// A job, which may still not be done.
    case job(ResumedJob)
    /// A change of an account that was completed or rolled back.
    case account(RecoveredAccount)
    /// A move: the account was sent.
    case sent(SentAccountReport)
    /// A move: the account was received.
    case received(ReceivedAccountReport)
    /// A move: the sent account is retired here.
    case finished(FinishReport)
    /// A move that was being cancelled is cancelled.
    case cancelled(CancelReport)
    /// An upload.
    case upload(SentFiles)
}
