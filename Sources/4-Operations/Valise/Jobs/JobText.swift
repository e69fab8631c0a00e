import ValiseEncoding
package import ValiseJobQueue

/// Jobs as text.
package enum JobText {
    /// The name of a job in a sentence: `job 3 (export of a to b)`.
    package static func name(_ job: Job) -> String { "job \(job.id) (\(job.title.withoutControls))" }

    /// The state, in a word or two.
    package static func state(_ job: Job) -> String {
        switch job.state {
        case .waiting where job.openNeeds > 0: "waiting for \(Count.text(job.openNeeds, "job"))"
        case .waiting: "waiting"
        case .running where job.isLeft: "interrupted"
        case .running where job.isCancelling: "stopping"
        case .running: "running"
        case .needsUser: "needs input"
        case .finished: job.operationResult?.ending?.state ?? "done"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// The progress; empty if unknown, and for an ended job.
    package static func progress(_ job: Job) -> String {
        job.state.isEnded ? "" : job.progress?.percentText ?? ""
    }

    /// The time of the next try; empty if the job does not wait for a time.
    package static func nextTry(_ job: Job, now: Int64 = UTCTime.clock()) -> String {
        guard JobKinds.isKnown(job) else { return "" }
        switch job.state {
        case .waiting where job.openNeeds > 0: return ""
        case .waiting: return job.nextTry.map { ShortDuration.until($0 - now) } ?? "now"
        case .running where job.isLeft: return "now"
        default: return ""
        }
    }
}

extension JobEnding {
    /// For lists, instead of `done`.
    package var state: String {
        switch self {
        case .completed: "completed"
        case .rolledBack: "rolled back"
        case .unknown: "ended, outcome unknown"
        }
    }

    /// Behind the name of the job, instead of `is done`.
    package var sentence: String {
        switch self {
        case .completed: "was completed"
        case .rolledBack: "was rolled back"
        case .unknown: "has ended; the outcome is unknown"
        }
    }
}
