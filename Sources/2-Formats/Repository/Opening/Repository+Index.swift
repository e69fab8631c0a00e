import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

extension Repository {
    /// Reads all index files; what was known before is forgotten.
    ///
    /// - Parameters:
    ///   - damaged: is told of files that cannot be read; without them, blobs seem to be missing.
    ///   - progress: how many files of how many were read; throw to stop.
    /// - Throws: `StorageError`; whatever a closure throws.
    package func loadIndex(
        damaged: (any Error) throws -> Void, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        table.withLock { $0 = BlobTable() }
        // What is gone when it is read was replaced by other files: a prune runs beside us.
        var known: Set<ContentID> = []
        for _ in 0..<Self.mostRounds {
            let files = try store.list(.index).map(\.id).filter { known.insert($0).inserted }
            guard try !load(files, damaged: damaged, progress) else { return }
        }
        throw RepositoryError(.failed, "the index changes while it is read", store.location)
    }

    private static let mostRounds = 5

    /// - Returns: whether all of them were there.
    private func load(
        _ files: [ContentID], damaged: (any Error) throws -> Void, _ progress: (Int, Int) throws -> Void
    ) throws -> Bool {
        let isComplete = Mutex(true)
        let problems = Mutex<[RepositoryError]>([])
        // Reading waits for the store, decoding for the processor.
        try ParallelBatches.run(count: files.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            let id = files[number]
            do {
                let json = try self.document(.index, id)
                try IndexRecord.read(json) { pack in
                    guard !pack.isMarked else { return }
                    _ = try self.table.withLock { table throws in try table.add(pack, settles: false) }
                }
            } catch let error as RepositoryError {
                problems.withLock { $0.append(error.naming(.file(.index, id))) }
            } catch let error as StorageError where error.code == .notFound {
                isComplete.withLock { $0 = false }
            }
        } report: { done in
            try progress(done, files.count)
        }
        table.withLock { $0.settle() }
        for problem in problems.withLock({ $0 }) { try damaged(problem) }
        return isComplete.withLock { $0 }
    }

    /// Makes the blobs of a pack known that was stored.
    func add(_ pack: IndexedPack) throws { _ = try table.withLock { table throws in try table.add(pack) } }
}
