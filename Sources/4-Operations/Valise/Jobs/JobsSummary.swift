import Synchronization
package import ValiseFailures
import ValiseFiles
public import ValiseJobQueue

/// How jobs ended in a run, and which remain.
public struct JobsSummary: OperationReport {
    package let type = "summary"
    /// How many were completed.
    public private(set) var done = 0
    /// Changes of accounts that had not been decided when they were interrupted.
    package private(set) var rolledBack = 0
    /// How many failed.
    public private(set) var failed = 0
    /// Done, with errors of single entries.
    package private(set) var doneWithErrors = 0
    /// The remaining jobs.
    public fileprivate(set) var left: [Job]
    /// Whether the run was stopped before it had come to its end.
    package fileprivate(set) var isInterrupted = false
    /// Why the ends of jobs could not be written, the first time.
    package private(set) var queueFailure: (any Failure)?

    init(left: [Job]) { self.left = left }

    public var hasEntryErrors: Bool { failed > 0 || doneWithErrors > 0 }

    /// Of those that are left. What this process could not write the end of, nobody runs.
    package var running: Int {
        left.count { $0.state == .running && !$0.isLeft && $0.process != ProcessIdentity.current }
    }
    /// Those that only a newer version knows: they were skipped.
    package var newer: [Job] { left.filter { !JobKinds.isKnown($0) } }
    package var needUser: Int { left.count { $0.state == .needsUser } }
    package var waiting: Int { left.count - running - needUser }

    fileprivate mutating func note(end job: Job) {
        let wasRolledBack = job.operationResult?.ending == .rolledBack
        done += job.state == .finished && !wasRolledBack ? 1 : 0
        rolledBack += job.state == .finished && wasRolledBack ? 1 : 0
        failed += job.state == .failed ? 1 : 0
        doneWithErrors += job.operationResult?.hasEntryErrors == true ? 1 : 0
    }

    fileprivate mutating func note(lost error: any Error) {
        let failure = error as? JobQueueError
        // Another run has the job.
        guard failure?.kind != .leaseLost else { return }
        queueFailure = queueFailure ?? failure ?? OperationError(.failed, error.sentence)
    }

    private enum Key: String, CodingKey {
        case type, done, rolledBack, failed, doneWithErrors, running, waiting
        case needUser = "needPerson"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type, forKey: .type)
        try container.encode(done, forKey: .done)
        try container.encode(rolledBack, forKey: .rolledBack)
        try container.encode(failed, forKey: .failed)
        try container.encode(doneWithErrors, forKey: .doneWithErrors)
        try container.encode(running, forKey: .running)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(needUser, forKey: .needUser)
    }
}

/// Sums up what a runner tells.
final class JobsCount: Sendable {
    private let summary = Mutex(JobsSummary(left: []))

    func note(_ event: JobRunner.Event) {
        switch event {
        case .ended(let job): summary.withLock { $0.note(end: job) }
        case .lost(_, let error): summary.withLock { $0.note(lost: error) }
        case .started, .progress: break
        }
    }

    func summary(left: [Job], isInterrupted: Bool) -> JobsSummary {
        summary.withLock { summary in
            summary.left = left
            summary.isInterrupted = isInterrupted
            return summary
        }
    }
}
