import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

extension Repository {
    /// Finds out whether files can be removed at all, by removing one that is not there.
    ///
    /// - Throws: ``RepositoryError``: `unsupported` for a store that keeps everything; `StorageError`.
    package func refuseAppendOnly() throws {
        var random = SystemRandomNumberGenerator()
        let absent = ContentID(words: (random.next(), random.next(), random.next(), random.next()))
        do {
            try store.remove(.file(.data, absent))
        } catch let error as StorageError where error.kind == .appendOnly || error.code == .denied {
            throw RepositoryError(
                .unsupported,
                "the store keeps everything (append-only): only its operator can remove files. Nothing was changed.",
                // That one could not remove a file that is not there helps nobody.
                store.location, cause: error.kind == .appendOnly ? nil : error)
        }
    }

    /// Removes files, several at a time.
    ///
    /// - Throws: ``RepositoryError`` where the lock is lost; `StorageError`; whatever `progress` throws.
    func remove(
        _ kind: StoredKind, _ ids: [ContentID], under lock: RepositoryLock, _ progress: MaintenanceProgress
    ) throws {
        guard !ids.isEmpty else { return }
        try ParallelBatches.run(count: ids.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            try lock.check()
            try store.remove(.file(kind, ids[number]))
        } report: {
            try progress(.removing, Int64($0), Int64(ids.count))
        }
    }

    /// Counts on another index from now on.
    func use(_ table: BlobTable) { self.table.withLock { $0 = table } }
}

/// Removes snapshots. Their blobs stay until the next prune.
package enum SnapshotRemoval {
    /// What was removed, and what could not be.
    package struct Report: Sendable {
        package fileprivate(set) var removed: [ContentID] = []
        package fileprivate(set) var failed: [(id: ContentID, error: any Error)] = []
    }

    /// Removes the snapshots that a plan forgets.
    /// - Throws: as ``run(_:from:under:_:)``.
    package static func run(
        _ plan: RetentionPlan, from repository: Repository, under lock: RepositoryLock,
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try run(plan.groups.flatMap { $0.forgotten.map(\.id) }, from: repository, under: lock, progress)
    }

    /// Removes snapshots, in this order.
    ///
    /// - Parameter lock: exclusive.
    /// - Throws: ``RepositoryError``: `unsupported` for a store that keeps everything, `invalid` for a shared lock; `StorageError`
    ///   before anything is removed; whatever `progress` throws.
    package static func run(
        _ ids: [ContentID], from repository: Repository, under lock: RepositoryLock,
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try lock.checkExclusive(for: repository)
        var report = Report()
        guard !ids.isEmpty else { return report }
        try repository.refuseAppendOnly()
        for (number, id) in ids.enumerated() {
            try progress(.removing, Int64(number), Int64(ids.count))
            do {
                try lock.check()
                try repository.store.remove(.file(.snapshots, id))
                report.removed.append(id)
            } catch let error as any Failure where error.code != .interrupted {
                report.failed.append((id, error))
            }
        }
        return report
    }
}
