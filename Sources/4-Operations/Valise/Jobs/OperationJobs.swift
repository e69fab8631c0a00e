import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue

/// Runs long operations in the foreground, each as a job of the user's queue.
///
/// The job is written, with its lease, before the operation begins, and goes when it ends. An operation that is interrupted,
/// killed, or fails for a time leaves its job, which a later run resumes; one that fails for good has told the user, and leaves
/// none. Where the queue cannot be used, or the same operation runs elsewhere, it runs without a job.
struct OperationJobs: Sendable {
    let context: OperationContext

    /// How long the queue may keep an operation waiting.
    private static let patience: Duration = .seconds(5)

    init(_ context: OperationContext) { self.context = context }

    /// Runs an operation.
    ///
    /// - Parameters:
    ///   - isJob: false for one that no later run could resume.
    ///   - body: does it. The progress of the context that it gets is the job's progress too.
    func run<Value: Sendable>(
        _ operation: some DurableOperation, isJob: Bool = true,
        _ body: @escaping @Sendable (OperationContext, JobSession) async throws -> Value
    ) async throws -> Value {
        var values: [Value] = []
        try await run([operation], isJob: isJob) { _, context, session in
            try await body(context, session)
        } done: {
            values.append($0)
        }
        return values[0]
    }

    /// Runs operations one after the other. The jobs of all are written before the first begins.
    ///
    /// - Parameters:
    ///   - isJob: false for operations that no later run could resume.
    ///   - done: gets what came of each.
    func run<Durable: DurableOperation, Value: Sendable>(
        _ operations: [Durable], isJob: Bool = true,
        _ body: @escaping @Sendable (Durable, OperationContext, JobSession) async throws -> Value,
        done: (Value) throws -> Void
    ) async throws {
        let sessions = isJob ? try await begin(operations) : operations.map { _ in JobSession() }
        for (index, operation) in operations.enumerated() {
            let session = sessions[index]
            do {
                let context = reporting(to: session)
                try done(await session.run { try await body(operation, context, session) })
            } catch {
                let error = Self.failure(error)
                let disposition = operation.disposition(after: error, remedies: context.wording.remedies)
                let later = sessions[(index + 1)...]
                // Nothing was said of them, so that they go with the one that failed for good.
                let ends =
                    later.map { ($0, disposition.keepsJob ? .interrupted : disposition) } + [
                        (session, disposition)
                    ]
                try await BlockingExecutor.shared.run { JobSession.end(ends) }
                let note = Self.note(of: operation, session, disposition, error, more: later.count)
                if let note { context.note(note) }
                throw error
            }
            try await BlockingExecutor.shared.run { session.end(.done) }
        }
    }

    /// What a library says of its cancellation says also what is kept.
    private static func failure(_ error: any Error) -> any Error {
        error is CancellationError ? Interruption() : error
    }

    private func reporting(to session: JobSession) -> OperationContext {
        var context = context
        context.events = { [events = context.events] event in
            if case .progress(let progress) = event { session.show(progress) }
            events(event)
        }
        return context
    }

    private static func note(
        of operation: some DurableOperation, _ session: JobSession, _ disposition: JobDisposition,
        _ error: any Error, more: Int
    ) -> JobNote? {
        if let note = session.stopNote { return note }
        guard let job = session.job, disposition.keepsJob else { return nil }
        if let failure = error as? any Failure, failure.remedy == .giveCommandAgain {
            return .kept(job, more: more, needsUser: nil)
        }
        let needsUser = if case .needsUser = disposition { true } else { operation.mayAsk }
        return .kept(job, more: more, needsUser: needsUser)
    }

    // MARK: Beginning

    private func begin<Durable: DurableOperation>(_ operations: [Durable]) async throws -> [JobSession] {
        guard context.keepsJobs else { return operations.map { _ in JobSession() } }
        return try await BlockingExecutor.shared.run { beginBlocking(operations) }
    }

    private func beginBlocking<Durable: DurableOperation>(_ operations: [Durable]) -> [JobSession] {
        do {
            let queue = try UserJobs(context.folders).open(patience: Self.patience)
            let payloads = operations.map { OperationPayload($0) }
            let requests = try payloads.map { try $0.request() }
            let resumable = try zip(payloads, requests).map { try Self.resumable($0, $1, in: queue) }
            let beginnings = try queue.change { transaction in
                try zip(requests, resumable).map {
                    try Self.begin(Durable.self, $0, resuming: $1, transaction)
                }
            }
            return beginnings.map { beginning in
                switch beginning {
                case .taken(let lease): return JobSession(lease, in: queue)
                case .runsElsewhere: return JobSession()
                case .newer(let job):
                    context.note(JobNote.newerJob(job))
                    return JobSession()
                }
            }
        } catch {
            context.note(JobNote.noQueue(error))
            return operations.map { _ in JobSession() }
        }
    }

    private enum Beginning {
        case taken(JobLease)
        /// What it runs into there, the operation says itself.
        case runsElsewhere
        /// A newer version of this program wrote a job that this one cannot judge.
        case newer(JobID)
    }

    /// The job that was left of the same operation, of the same files; nil for none.
    ///
    /// Looked for before the transaction, in which other processes would wait for the file systems that are asked here.
    private static func resumable<Durable: DurableOperation>(
        _ payload: OperationPayload<Durable>, _ request: JobRequest, in queue: JobQueue
    ) throws -> JobID? {
        guard let found = try queue.jobs(.open(request.kind, request.uniqueKey)).first,
            let left = try? JSONText.decode(OperationPayload<Durable>.self, from: found.payload),
            try left.isSame(as: payload)
        else { return nil }
        return found.id
    }

    /// Writes the job and takes it, or takes the one that was left of the same operation.
    ///
    /// - Parameter resumable: the job that may be taken. One that another process left only after that was looked for is
    ///   replaced, as one of another operation is.
    private static func begin<Durable: DurableOperation>(
        _ kind: Durable.Type, _ request: JobRequest, resuming resumable: JobID?,
        _ transaction: borrowing JobTransaction
    ) throws -> Beginning {
        if let found = try transaction.jobs(.open(request.kind, request.uniqueKey)).first {
            if found.state == .running, !found.isLeft { return .runsElsewhere }
            if found.id == resumable {
                try transaction.resume(found.id)
                return .taken(try transaction.take(found.id))
            }
            if let written = PayloadVersion(of: found)?.version, written > Durable.version {
                return .newer(found.id)
            }
            // Asked for again in another way: that counts now.
            try transaction.cancel(found.id)
            try? transaction.remove(found.id)
        }
        return .taken(try transaction.take(transaction.add(request).id))
    }
}

extension OperationPayload {
    /// Ten tries within an hour, then once or twice an hour: as long as relays keep a file, two days.
    private static var mostAttempts: Int { 75 }

    /// The job of the operation.
    fileprivate func request() throws -> JobRequest {
        JobRequest(
            kind: Durable.kind, title: operation.title, payload: try JSONText.encodeBytes(self),
            uniqueKey: JobKey.text(operation.identity), queue: Durable.queue,
            mostAttempts: Self.mostAttempts)
    }
}
