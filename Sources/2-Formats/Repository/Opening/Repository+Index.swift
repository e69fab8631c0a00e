import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

extension Repository {
    /// Reads all index files.
    ///
    /// - Parameters:
    ///   - damaged: is told of files that cannot be read; without them, blobs seem to be missing.
    ///   - progress: how many files of how many were read; throw to stop.
    /// - Throws: `StorageError`; whatever a closure throws.
    package func loadIndex(
        damaged: (any Error) throws -> Void, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        let files = try store.list(.index)
        let problems = Mutex<[RepositoryError]>([])
        // Reading waits for the store, decoding for the processor.
        try ParallelBatches.run(count: files.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            let id = files[number].id
            do {
                let json = try self.document(.index, id)
                try IndexRecord.read(json) { pack in
                    guard !pack.isMarked else { return }
                    _ = try self.table.withLock { table throws in try table.add(pack, settles: false) }
                }
            } catch let error as RepositoryError {
                problems.withLock { $0.append(error.naming(.file(.index, id))) }
            } catch let error as StorageError where error.code == .notFound {
                // Replaced by another one since the list was made: a prune ran beside us.
                problems.withLock {
                    $0.append(RepositoryError(.missing, "removed while it was read", .file(.index, id)))
                }
            }
        } report: { done in
            try progress(done, files.count)
        }
        table.withLock { $0.settle() }
        for problem in problems.withLock({ $0 }) { try damaged(problem) }
    }

    /// Makes the blobs of a pack known that was stored.
    func add(_ pack: IndexedPack) throws { _ = try table.withLock { table throws in try table.add(pack) } }
}
