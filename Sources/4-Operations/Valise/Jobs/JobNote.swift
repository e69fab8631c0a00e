import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseJobQueue

/// A note about the job of an operation.
package enum JobNote: OperationNote {
    /// The operation ended, and its job is kept.
    /// - Parameters:
    ///   - more: how many jobs after it are kept too.
    ///   - needsUser: whether it takes the user to resume it; otherwise a run of all jobs does. Nil where the failure of the
    ///     operation says how.
    case kept(JobID, more: Int, needsUser: Bool?)
    /// Another run has taken the job over.
    case takenOver(JobID)
    /// The job was cancelled.
    case cancelled(JobID)
    /// A newer version of this program wrote a job for the same operation, which is left alone.
    case newerJob(JobID)
    /// The queue cannot be used, so this operation will not be resumed.
    case noQueue(any Error)

    package var text: String {
        switch self {
        case .kept(let job, let more, _):
            more == 0
                ? "kept as job \(job)"
                : "kept as job \(job), with \(Count.text(more, "more job")) after it"
        case .takenOver(let job): "another run has taken over job \(job)"
        case .cancelled(let job): "job \(job) was cancelled"
        case .newerJob(let job):
            "running without a job: job \(job) for the same operation was written by a newer version and is left alone"
        case .noQueue(let error):
            "running without a job, so it will not be resumed automatically: \(error.sentence)"
        }
    }
}
