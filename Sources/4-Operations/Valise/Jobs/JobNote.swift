public import ValiseConcurrency
import ValiseFailures
public import ValiseJobQueue

/// What an operation tells of its own job.
public enum JobNote: OperationNote {
    /// The operation ended, and its job stays.
    /// - Parameters:
    ///   - more: how many jobs after it stay too.
    ///   - needsUser: whether it waits for its user; else a run of all jobs resumes it.
    case kept(JobID, more: Int, needsUser: Bool)
    /// Another run has taken the job over.
    case takenOver(JobID)
    /// The job was cancelled.
    case cancelled(JobID)
    /// A newer version of this program wrote a job about the same, which is left alone.
    case newerJob(JobID)
    /// The queue cannot be used, so that nothing resumes this operation.
    case noQueue(any Error)

    public var text: String {
        switch self {
        case .kept(let job, let more, _):
            more == 0
                ? "this stays as job \(job)"
                : "this stays as job \(job) and \(Count.text(more, "job")) after it"
        case .takenOver(let job): "another run has taken job \(job) over"
        case .cancelled(let job): "job \(job) was cancelled"
        case .newerJob(let job):
            "this runs without a job: a newer version of this program wrote job \(job) about the same, which is left alone"
        case .noQueue(let error):
            "this runs without a job, and is not resumed by itself: \(error.sentence)"
        }
    }
}
