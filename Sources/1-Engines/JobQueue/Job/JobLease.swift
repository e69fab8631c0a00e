/// The right to run one job, for a time that each heartbeat extends.
///
/// Its token makes it the only one: once another worker took the job over, this lease changes nothing any more.
package struct JobLease: Sendable, Equatable {
    /// The job as it was when it was taken.
    package let job: Job
    /// Rises with every taking of the job.
    package let token: Int64

    package var id: JobID { job.id }
}

/// What a heartbeat learns.
package enum JobSignal: Sendable, Equatable {
    case proceed
    /// A user does not want the job any more: stop, and give the lease back.
    case cancel
}
