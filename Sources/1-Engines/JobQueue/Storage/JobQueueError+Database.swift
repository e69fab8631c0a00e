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
            self.init(
                .other, error.code, error.message, subject: error.subject ?? path.string, cause: error,
                remedy: error.remedy)
        default:
            self.init(.other, .failed, "cannot use the job queue", subject: path.string, cause: error)
        }
    }

    private init(database error: DatabaseError) {
        switch error.code {
        case _ where error.isNotADatabase || error.code == .damaged:
            self.init(
                .damaged, .damaged,
                "the job queue database is damaged and unchanged",
                subject: error.file, cause: error, remedy: .startEmptyQueue(FilePath(error.file)))
        case .inUse:
            self.init(
                .busy, .inUse,
                "another process has locked the job queue for too long. Nothing was changed.",
                subject: error.file, cause: error, remedy: .giveCommandAgain)
        default:
            self.init(.other, error.code, error.message, subject: error.file, cause: error)
        }
    }

    static func busy(_ path: FilePath) -> Self {
        Self(
            .busy, .inUse,
            "another process has locked the job queue for too long. Nothing was changed.",
            subject: path.string, remedy: .giveCommandAgain)
    }

    static func wrongKey(_ error: DatabaseError) -> Self {
        Self(
            .wrongKey, .damaged,
            "the key does not open the job queue database, or its first page is damaged. Both are unchanged.",
            subject: error.file, cause: error,
            remedy: .restoreQueueKey(FilePath(error.file).removingLastComponent()))
    }

    static func leaseLost(_ id: JobID) -> Self {
        Self(
            .leaseLost, .inUse,
            "another worker took over the job, or it has ended. This run changed nothing.",
            subject: id.subject)
    }

    static func damagedRow(_ id: Int64?) -> Self {
        Self(
            .damaged, .damaged, "invalid job record, not written by any version of this program",
            subject: id.map { "job \($0)" })
    }

    static func noSuchJob(_ id: JobID) -> Self {
        Self(.noSuchJob, .notFound, "no such job", subject: id.subject)
    }

    static func wrongState(_ id: JobID, _ message: String, remedy: Remedy? = nil) -> Self {
        Self(.wrongState, .invalid, message, subject: id.subject, remedy: remedy)
    }

    static func invalid(_ message: String) -> Self { Self(.other, .invalid, message) }
}

extension JobID {
    fileprivate var subject: String { "job \(self)" }
}
