import ValiseDatabase
package import ValiseFailures

/// What a job queue refused, or why it cannot be used.
package struct JobQueueError: Failure {
    package enum Kind: Sendable, Equatable {
        /// The job was taken over by another worker, ended or removed: nothing was changed.
        case leaseLost
        /// There is no job of this number.
        case noSuchJob
        /// Another worker has the job.
        case isRunning
        /// The job is not in a state in which this can be done with it.
        case wrongState
        /// Another job that has not ended has the same key.
        case sameKey
        /// The key opens nothing here, or the first page of the database is damaged. Nothing was changed.
        case wrongKey
        /// The database is there and its key is not.
        case keyMissing
        /// The database contradicts itself. Nothing was changed or removed.
        case damaged
        /// A newer program than this made the database.
        case newer
        /// Another process had the database for longer than is waited for.
        case busy
        /// Something else that the code and the message tell.
        case other
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// The job, or the database file.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    init(
        _ kind: Kind, _ code: FailureCode, _ message: String, subject: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }
}
