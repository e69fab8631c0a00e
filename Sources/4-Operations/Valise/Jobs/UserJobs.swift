package import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseJobQueue

/// The user's queue of jobs: `jobs` among what a later run needs.
package struct UserJobs: Sendable {
    /// Where it is, or would be; nil where no folder is known.
    package let folder: FilePath?

    package init(_ folders: ValiseFolders) { folder = folders.state?.appending("jobs") }

    /// The queue, made where it is not there.
    ///
    /// - Parameter patience: how long another process may have it.
    /// - Throws: ``OperationError``: `notFound` where no folder is known; `JobQueueError`.
    package func open(patience: Duration = .seconds(30)) throws -> JobQueue {
        guard let folder else {
            throw OperationError(.notFound, "no folder for jobs", need: .stateFolder)
        }
        return try JobQueue(inFolder: folder, settings: JobSettings(patience: patience))
    }

    /// The queue, where there is one.
    /// - Throws: as ``open(patience:)``.
    package func existing(patience: Duration = .seconds(30)) throws -> JobQueue? {
        guard let folder, try FileSystem().exists(JobQueue.file(inFolder: folder)) else { return nil }
        return try open(patience: patience)
    }

    /// Removes jobs that were left of operations which somebody cancelled elsewhere. Where that fails, they are still there
    /// to be cancelled.
    ///
    /// - Parameter identity: nil for all of the kind.
    func cancel(_ kind: String, _ identity: [String]?) {
        Self.cancel(kind, identity, in: try? existing())
    }

    /// The same in a queue that is open; nil where there is none, or none that can be used.
    static func cancel(_ kind: String, _ identity: [String]?, in queue: JobQueue?) {
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

/// By what the queue tells that two operations are the same.
enum JobKey {
    static func text(_ identity: [String]) -> String { identity.joined(separator: "\n") }
}
