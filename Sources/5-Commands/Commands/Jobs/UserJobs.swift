import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseJobQueue

/// The user's queue of jobs: `jobs` among what a later run needs.
enum UserJobs {
    /// Keeps commands from using the queue.
    static let switchedOff = "VALISE_NO_JOBS"

    /// Where it is, or would be; nil where no folder is known.
    static var folder: FilePath? { UserFolders.state?.appending("jobs") }

    static var isSwitchedOff: Bool { UserFolders.variable(switchedOff) != nil }

    /// The queue, made where it is not there.
    ///
    /// - Parameter patience: how long another process may have it.
    /// - Throws: ``CommandError``: `notFound` where no folder is known; `JobQueueError`.
    static func open(patience: Duration = .seconds(30)) throws -> JobQueue {
        guard let folder else {
            throw CommandError(.notFound, "jobs have no place; set HOME or XDG_STATE_HOME")
        }
        return try JobQueue(inFolder: folder, settings: JobSettings(patience: patience))
    }

    /// The queue, where there is one.
    /// - Throws: as ``open(patience:)``.
    static func existing(patience: Duration = .seconds(30)) throws -> JobQueue? {
        guard let folder, try FileSystem().exists(JobQueue.file(inFolder: folder)) else { return nil }
        return try open(patience: patience)
    }

    /// Removes jobs that were left of acts which somebody gave up elsewhere. Where that fails, they are still there for
    /// `valise jobs cancel`.
    ///
    /// - Parameters:
    ///   - identity: nil for all of the kind.
    ///   - queue: nil where there is none, or none that can be used.
    static func giveUp(_ kind: String, _ identity: [String]?, in queue: JobQueue? = try? existing()) {
        let filter = JobFilter.open(kind, identity.map { JobKey.text($0) })
        _ = try? queue?.change { transaction in
            for job in try transaction.jobs(filter) where job.state != .running || job.isLeft {
                try transaction.cancel(job.id)
                try transaction.remove(job.id)
            }
        }
    }
}

extension JobFilter {
    /// Those of a kind that have not ended.
    /// - Parameter uniqueKey: nil for any.
    static func open(_ kind: String, _ uniqueKey: String?) -> Self {
        var filter = open
        (filter.kinds, filter.uniqueKey) = ([kind], uniqueKey)
        return filter
    }
}

/// By what the queue tells that two acts are the same.
enum JobKey {
    static func text(_ identity: [String]) -> String { identity.joined(separator: "\n") }
}
