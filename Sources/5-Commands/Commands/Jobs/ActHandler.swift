import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue
import ValiseTransfers

/// Does the jobs of one kind of act.
struct ActHandler<Act: JobbedAct>: JobHandler {
    /// Who can be asked; nil for nobody.
    let person: JobPerson?
    /// Where lines for the user go.
    let note: @Sendable (JobID, String) -> Void
    /// Is told of the failure of a run, whose code says more than the reason that the job keeps.
    let failed: @Sendable (any Failure) -> Void

    var kind: String { Act.kind }

    func run(_ job: Job, _ context: JobContext) async throws -> JobOutcome {
        do {
            let act = try Self.act(of: job)
            let result = try await act.resume(surroundings(job, context))
            return JobOutcome(result: try JSONText.encodeBytes(result))
        } catch {
            if let failure = error as? any Failure { failed(failure) }
            throw Self.failure(error, job.id)
        }
    }

    private func surroundings(_ job: Job, _ context: JobContext) -> ActContext {
        ActContext(
            person: person, memory: job.checkpoint,
            progress: { progress in
                try context.check()
                context.report(progress.withoutControls)
            },
            note: { [note, id = job.id] in note(id, $0) }, remember: { try context.checkpoint($0) })
    }

    /// The act as it was written down.
    /// - Throws: ``NewerPayload``; ``CommandError``: `damaged`.
    static func act(of job: Job) throws -> Act {
        let damage = "what this job is to do cannot be read; give its command again"
        guard let version = PayloadVersion(of: job)?.version else { throw CommandError(.damaged, damage) }
        guard version <= Act.version else {
            throw NewerPayload(job: job.id)
        }
        do {
            return try JSONText.decode(ActPayload<Act>.self, from: job.payload).act
        } catch {
            throw CommandError(.damaged, damage)
        }
    }

    /// Failures for which the person can do something say what.
    private static func failure(_ error: any Error, _ job: JobID) -> any Error {
        let resume = "'valise jobs resume \(job)'"
        switch error {
        case let needed as PersonNeeded:
            let cause = needed.cause.map { " (\(($0 as? any Failure)?.text ?? "\($0)"))" } ?? ""
            return JobFailure.needsPerson(needed.advice.replacing("{job}", with: "\(job)") + cause)
        case let newer as NewerPayload: return JobFailure.needsPerson(newer.message)
        case let transfer as FileTransferError:
            guard case .fileNotApproved = transfer.kind else { break }
            return JobFailure.needsPerson(
                "\(transfer.text); \(resume) asks, or list them in ~/.config/valise/relays")
        default: break
        }
        guard let failure = error as? any Failure else { return error }
        if failure.isOfRelaysForATime { return JobFailure.temporary(failure.text) }
        switch failure.code {
        case .wrongPassphrase:
            return JobFailure.needsPerson("\(failure.text); \(resume) asks for another passphrase")
        case .noSpace: return JobFailure.needsPerson("\(failure.text); make room, then \(resume)")
        case .denied: return JobFailure.needsPerson("\(failure.text); then \(resume)")
        // Whoever runs the job does not count that as a try.
        case .interrupted: return error
        default: return JobFailure(failure, remedies: RemedyText.words)
        }
    }
}

/// Thrown by a job that only a newer program can do: this one keeps it for that.
struct NewerPayload: Failure {
    let job: JobID

    var code: FailureCode { .newer }
    var message: String {
        "a newer version of valise wrote this job; update this one, then 'valise jobs resume \(job)'"
    }
    var subject: String? { nil }
    var cause: (any Error)? { nil }
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
