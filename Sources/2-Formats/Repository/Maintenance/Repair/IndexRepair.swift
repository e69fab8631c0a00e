import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

/// Makes the index say what is stored: packs that are gone are taken out, and those that it does not know are read.
///
/// A pack whose header cannot be read stays in the index if it is there: nothing else says what is in it, until
/// ``PackSalvage`` has saved what can be saved.
package struct IndexRepair: Sendable {
    /// What was changed.
    package struct Report: Sendable {
        /// Packs that were in no index.
        package fileprivate(set) var added: [ContentID] = []
        /// Packs with another content than the index had.
        package fileprivate(set) var corrected: [ContentID] = []
        /// Packs that are not stored any more.
        package fileprivate(set) var dropped: [ContentID] = []
        /// Packs whose header cannot be read.
        package fileprivate(set) var unreadable: [(id: ContentID, error: any Error)] = []
        package fileprivate(set) var writtenIndexes = 0
        package fileprivate(set) var removedIndexes = 0
    }

    private let repository: Repository
    private let readsAll: Bool

    /// - Parameter readsAll: whether the headers of all packs are read, rather than of those that the index does not know, or
    ///   knows with another size.
    package init(_ repository: Repository, readingAll readsAll: Bool = false) {
        self.repository = repository
        self.readsAll = readsAll
    }

    /// Headers that were read.
    private struct Found {
        var report = Report()
        var rewriter: IndexRewriter
    }

    /// Repairs the index: new files are written first, then old ones are removed.
    ///
    /// - Parameter lock: exclusive.
    /// - Throws: ``RepositoryError``: `invalid` for a shared lock, `unsupported` for a store that keeps everything, `newer` and
    ///   `unsupported` for an index of a later program, which is not removed; `StorageError`; whatever `progress` throws.
    package func run(
        under lock: RepositoryLock, _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try lock.checkExclusive(for: repository)
        let index = try StoredIndex.read(repository, progress)
        for (_, error) in index.unreadable {
            guard let damage = error as? RepositoryError, damage.kind == .damaged else { throw error }
        }
        let packs = try StoredPacks(repository.store)
        let contradictory = Set(index.repeated.filter { !$0.isEqual }.map(\.pack))
        let gone = index.table.packIDs.filter { packs.size(of: $0) == nil }
        let asked = packs.files.filter { isAsked($0, index.table, contradictory) }
        try repository.refuseAppendOnly()
        var (report, rewriter) = try read(asked, index.table, contradictory, lock, progress)
        report.dropped = gone.sorted()
        let dropped = Set(gone).union(report.corrected)
        try rewriter.rewrite(index.files, keeping: { !$0.isMarked && !dropped.contains($0.id) }, progress)
        try rewriter.finish()
        let obsolete = rewriter.obsolete + index.unreadable.map(\.file)
        report.writtenIndexes = rewriter.written.count
        report.removedIndexes = obsolete.count
        try lock.check()
        try repository.remove(.index, obsolete, under: lock, progress)
        try repository.loadIndex(damaged: { throw $0 })
        return report
    }

    private func isAsked(
        _ pack: (id: ContentID, size: Int64), _ table: BlobTable, _ contradictory: Set<ContentID>
    ) -> Bool {
        guard !readsAll, table.hasPack(pack.id), !contradictory.contains(pack.id) else { return true }
        let expected = table.expectedPack(pack.id)
        return expected.size != pack.size || !expected.isContinuous
    }

    /// Reads headers, and begins the new index with the packs that were not there, or were there with another content.
    private func read(
        _ packs: [(id: ContentID, size: Int64)], _ table: BlobTable, _ contradictory: Set<ContentID>,
        _ lock: RepositoryLock, _ progress: MaintenanceProgress
    ) throws -> (Report, IndexRewriter) {
        let found = Mutex<Found?>(Found(rewriter: IndexRewriter(repository)))
        try ParallelBatches.run(count: packs.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            try lock.check()
            let (id, size) = packs[number]
            do {
                let pack = try IndexedPack(id, repository.header(of: id, size: size))
                let isKnown = table.hasPack(id)
                if isKnown, !contradictory.contains(id), table.matches(pack) { return }
                try found.withLock { found throws in
                    if isKnown { found?.report.corrected.append(id) } else { found?.report.added.append(id) }
                    try found?.rewriter.append(pack)
                }
            } catch  where Repository.isOfFile(error) {
                found.withLock { $0?.report.unreadable.append((id, error)) }
            }
        } report: {
            try progress(.packs, Int64($0), Int64(packs.count))
        }
        return found.withLock { found in
            var report = found?.report ?? Report()
            report.added.sort()
            report.corrected.sort()
            report.unreadable.sort { $0.id < $1.id }
            let rewriter = found?.rewriter ?? IndexRewriter(repository)
            found = nil
            return (report, rewriter)
        }
    }
}
