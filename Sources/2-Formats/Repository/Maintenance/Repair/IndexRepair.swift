import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

/// Makes the index say what is stored: packs that are gone are taken out, and those that it does not know are read.
///
/// A pack that has nothing intact which the index lacks is not added: it may be one that ``PackSalvage`` took out, and a backup
/// would count on what that could not save.
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
        /// Nil where nothing is written.
        var rewriter: IndexRewriter?
    }

    /// What is wrong with the index.
    private struct State {
        let index: StoredIndex
        let contradictory: Set<ContentID>
        /// Packs that are not stored.
        let gone: Set<ContentID>
        /// Those whose headers say more than the index does.
        let asked: [(id: ContentID, size: Int64)]

        /// Whether no stored pack has a blob by the index.
        func lacks(_ blob: PackedBlob) -> Bool {
            index.table.locations(of: blob.id, blob.kind).allSatisfy { gone.contains($0.pack) }
        }
    }

    /// What ``run(under:_:)`` would change. Nothing is written.
    ///
    /// - Throws: as ``run(under:_:)``, but for the lock and the store that keeps everything.
    package func plan(_ progress: MaintenanceProgress = { _, _, _ in }) throws -> Report {
        let state = try look(progress)
        let found = try read(state, Found(), check: {}, progress)
        var report = found.report
        report.dropped = state.gone.sorted()
        report.removedIndexes = state.index.unreadable.count
        return report
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
        let state = try look(progress)
        let index = state.index
        try repository.refuseAppendOnly()
        let found = try read(
            state, Found(rewriter: IndexRewriter(repository)), check: { try lock.check() }, progress)
        var report = found.report
        var rewriter = found.rewriter ?? IndexRewriter(repository)
        report.dropped = state.gone.sorted()
        let dropped = state.gone.union(report.corrected)
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

    private func look(_ progress: MaintenanceProgress) throws -> State {
        let index = try StoredIndex.read(repository, progress)
        for (_, error) in index.unreadable {
            guard let damage = error as? RepositoryError, damage.kind == .damaged else { throw error }
        }
        let packs = try StoredPacks(repository.store)
        let contradictory = Set(index.repeated.filter { !$0.isEqual }.map(\.pack))
        return State(
            index: index, contradictory: contradictory,
            gone: Set(index.table.packIDs.filter { packs.size(of: $0) == nil }),
            asked: packs.files.filter { isAsked($0, index.table, contradictory) })
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
        _ state: State, _ beginning: Found, check: @escaping @Sendable () throws -> Void,
        _ progress: MaintenanceProgress
    ) throws -> Found {
        let (packs, table, contradictory) = (state.asked, state.index.table, state.contradictory)
        let found = Mutex(beginning)
        try ParallelBatches.run(count: packs.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            try check()
            let (id, size) = packs[number]
            do {
                let blobs = try repository.header(of: id, size: size)
                let pack = try IndexedPack(id, blobs)
                let isKnown = table.hasPack(id)
                if isKnown, !contradictory.contains(id), table.matches(pack) { return }
                if !isKnown, try !isNeeded(blobs, of: id, state) { return }
                try found.withLock { found throws in
                    if isKnown { found.report.corrected.append(id) } else { found.report.added.append(id) }
                    try found.rewriter?.append(pack)
                }
            } catch  where Repository.isOfFile(error) {
                found.withLock { $0.report.unreadable.append((id, error)) }
            }
        } report: {
            try progress(.packs, Int64($0), Int64(packs.count))
        }
        return found.withLock { found in
            found.report.added.sort()
            found.report.corrected.sort()
            found.report.unreadable.sort { $0.id < $1.id }
            return found
        }
    }

    /// Whether a pack has an intact blob that no other one has by the index. Of most packs the first blob answers that.
    private func isNeeded(_ blobs: [PackedBlob], of pack: ContentID, _ state: State) throws -> Bool {
        for blob in blobs where state.lacks(blob) {
            guard blob.fitsMemory else { return true }
            do {
                _ = try repository.content(of: blob, in: pack)
                return true
            } catch let error as RepositoryError {
                guard error.kind == .damaged else { throw error }
            }
        }
        return false
    }
}
