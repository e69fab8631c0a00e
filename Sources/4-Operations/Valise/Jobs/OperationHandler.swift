import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue
import ValiseTransfers

/// Does the jobs of one kind of operation.
struct OperationHandler<Durable: DurableOperation>: JobHandler {
    /// Whose jobs they are; notes of a job come here.
    let context: OperationContext
    /// The user who resumes one; nil for nobody.
    let user: ResumingUser?
    let observer: JobObserver

    var kind: String { Durable.kind }

    func run(_ job: Job, _ context: JobContext) async throws -> JobOutcome {
        do {
            let operation = try Self.operation(of: job)
            let result = try await operation.resume(resumption(job, context))
            return JobOutcome(result: try JSONText.encodeBytes(result))
        } catch {
            if let failure = error as? any Failure { observer.failed(failure) }
            throw failure(error, job.id)
        }
    }

    private func resumption(_ job: Job, _ jobContext: JobContext) -> ResumptionContext {
        var operation = context
        operation.checkpoint = { [check = context.checkpoint] in
            try check()
            try jobContext.check()
        }
        operation.events = { [observer, events = context.events, id = job.id] event in
            switch event {
            // The queue keeps it, and its runner tells it.
            case .progress(let progress): jobContext.report(progress.withoutControls)
            case .note(let note): observer.note(id, note)
            case .entryFailed: events(event)
            }
        }
        return ResumptionContext(
            operation: operation, user: user, memory: job.checkpoint,
            remember: { try jobContext.checkpoint($0) }, sources: SourceMarks.of(job),
            isCancelled: { jobContext.isCancelled })
    }

    /// The operation as it was written down.
    /// - Throws: ``UserNeeded`` for one of a newer program; ``OperationError``: `damaged`.
    static func operation(of job: Job) throws -> Durable {
        let damage = OperationError(
            .damaged, "cannot read the job data", remedy: .giveOriginalCommandAgain)
        guard let version = PayloadVersion(of: job)?.version else { throw damage }
        guard version <= Durable.version else { throw UserNeeded(.newerProgram) }
        do {
            return try JSONText.decode(OperationPayload<Durable>.self, from: job.payload).operation
        } catch {
            throw damage
        }
    }

    /// Failures for which the user can do something say what.
    private func failure(_ error: any Error, _ job: JobID) -> any Error {
        if let needed = error as? UserNeeded {
            return JobFailure.needsUser(context.wording.reason(needed.need, job))
        }
        guard let failure = error as? any Failure else { return error }
        func needed() -> any Error {
            JobFailure.needsUser(context.wording.reason(.failure(failure), job))
        }
        if case .fileNotApproved = (failure as? FileTransferError)?.kind { return needed() }
        if failure.isOfRelaysForATime {
            return JobFailure.temporary(failure.description(remedies: context.wording.remedies))
        }
        switch failure.code {
        case .noSpace where failure.remedy == .raiseSizeLimit:
            return JobFailure.permanent(failure.description(remedies: context.wording.remedies))
        case .wrongPassphrase, .noSpace, .denied: return needed()
        // Whoever runs the job does not count that as a try.
        case .interrupted: return error
        default: return JobFailure(failure, remedies: context.wording.remedies)
        }
    }
}

/// Sees what jobs tell that are resumed.
struct JobObserver: Sendable {
    /// Something beside the progress of a job.
    let note: @Sendable (JobID, any OperationNote) -> Void
    /// The failure of a run, whose code says more than the reason that the job keeps.
    let failed: @Sendable (any Failure) -> Void

    init(
        note: @escaping @Sendable (JobID, any OperationNote) -> Void,
        failed: @escaping @Sendable (any Failure) -> Void = { _ in }
    ) {
        self.note = note
        self.failed = failed
    }
}

/// Which version of its kind a payload has; read before anything else of it.
struct PayloadVersion: Decodable {
    let version: Int

    /// Nil where the payload cannot be read.
    init?(of job: Job) {
        guard let found = try? JSONText.decode(Self.self, from: job.payload) else { return nil }
        self = found
    }
}

/// Which files were where the sources of an operation are, when it was asked for.
struct SourceMarks: Decodable {
    private let sources: [MarkedFile]?

    /// None in jobs of older versions, and where the payload cannot be read, which whoever does the job notices.
    static func of(_ job: Job) -> [MarkedFile] {
        (try? JSONText.decode(Self.self, from: job.payload))?.sources ?? []
    }
}

/// What a job keeps of an operation.
struct OperationPayload<Durable: DurableOperation>: Codable {
    let version: Int
    let operation: Durable
    /// As ``SourceMarks`` has them.
    private let sources: [MarkedFile]?

    init(_ operation: Durable) {
        version = Durable.version
        self.operation = operation
        let marks = operation.sources.flatMap(\.marks)
        sources = marks.isEmpty ? nil : marks
    }

    /// Whether the same is asked for again, of the same files. Looks at these, and at the folders of all paths.
    func isSame(as other: Self) throws -> Bool {
        guard version == other.version, !(sources ?? []).contains(where: \.isReplaced) else { return false }
        return try JSONText.encodeBytes(operation) == JSONText.encodeBytes(other.operation)
    }

    private enum CodingKeys: String, CodingKey {
        case version, sources
        case operation = "act"
    }
}
