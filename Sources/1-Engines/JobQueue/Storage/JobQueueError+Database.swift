import SystemPackage
import ValiseDatabase
import ValiseFailures

extension JobQueueError {
    /// What went wrong below, as a queue says it.
    ///
    /// - Parameter path: the database file or its folder.
    init(_ error: any Error, _ path: FilePath) {
        switch error {
        case let error as JobQueueError: self = error
        case let error as DatabaseError: self.init(database: error)
        case let error as any Failure:
            self.init(.other, error.code, error.message, subject: error.subject ?? path.string, cause: error)
        default:
            self.init(.other, .failed, "the job queue cannot be used", subject: path.string, cause: error)
        }
    }

    private init(database error: DatabaseError) {
        switch error.code {
        case _ where error.isNotADatabase || error.code == .damaged:
            self.init(
                .damaged, .damaged,
                "the database of the job queue is damaged; it was left as it is, move it away to begin with an empty one",
                subject: error.file, cause: error)
        case .inUse:
            self.init(
                .busy, .inUse,
                "another process keeps the job queue for too long; nothing was changed, try again",
                subject: error.file, cause: error)
        default:
            self.init(.other, error.code, error.message, subject: error.file, cause: error)
        }
    }

    static func busy(_ path: FilePath) -> Self {
        Self(
            .busy, .inUse, "another process keeps the job queue for too long; nothing was changed, try again",
            subject: path.string)
    }

    static func wrongKey(_ error: DatabaseError) -> Self {
        Self(
            .wrongKey, .damaged,
            "the key does not open the database of the job queue, or its first page is damaged; both were left as they "
                + "are, put the right key back, or move both away to begin with an empty queue",
            subject: error.file, cause: error)
    }

    static func leaseLost(_ id: JobID) -> Self {
        Self(
            .leaseLost, .inUse,
            "another worker took the job over, or it has ended; this run changed nothing of it",
            subject: id.subject)
    }

    static func damagedRow(_ id: Int64?) -> Self {
        Self(
            .damaged, .damaged, "the row of a job holds what no version of this program writes",
            subject: id.map { "job \($0)" })
    }

    static func noSuchJob(_ id: JobID) -> Self {
        Self(.noSuchJob, .notFound, "there is no job of this number", subject: id.subject)
    }

    static func wrongState(_ id: JobID, _ message: String) -> Self {
        Self(.wrongState, .invalid, message, subject: id.subject)
    }

    static func invalid(_ message: String) -> Self { Self(.other, .invalid, message) }
}

extension JobID {
    fileprivate var subject: String { "job \(self)" }
}
