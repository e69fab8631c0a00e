public import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
public import ValiseJobQueue

/// What happens to a job that is run or watched with others.
public enum JobChange: OperationNote {
    /// A run of it began.
    case started(Job)
    /// It got further.
    case progressed(Job, OperationProgress)
    /// The run ended, with the job as it is now: finished, waiting for another try, failed, cancelled.
    case ended(Job)
    /// Another run has taken it over, or its end could not be written: then it is run again when its lease has ended.
    case lost(Job, any Error)
    /// Whatever ran it has removed it; the job as it was.
    case removed(Job)
    /// All jobs that run, each time they were looked at.
    case running([Job])

    public var text: String {
        switch self {
        case .started(let job): "job \(job.id) started"
        case .progressed(let job, let progress): "job \(job.id): \(progress.activity)"
        case .ended(let job): "job \(job.id) ended: \(job.state.rawValue)"
        case .lost(let job, let error): "job \(job.id) is no longer run here: \(error.sentence)"
        case .removed(let job): "job \(job.id) ended and was removed"
        case .running(let jobs): "\(Count.text(jobs.count, "job")) running"
        }
    }

    init(_ event: JobRunner.Event) {
        self =
            switch event {
            case .started(let job): .started(job)
            case .progress(let job, let progress): .progressed(job, progress)
            case .ended(let job): .ended(job)
            case .lost(let job, let error): .lost(job, error)
            }
    }
}
