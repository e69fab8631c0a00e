import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

/// Saves the intact blobs of broken packs into new ones, and takes the broken ones out of the index: then a backup stores again
/// what was lost, where the source still has it.
package struct PackSalvage: Sendable {
    /// What was saved.
    package struct Report: Sendable {
        package fileprivate(set) var saved = 0
        /// Blobs that another pack has, too.
        package fileprivate(set) var elsewhere = 0
        package fileprivate(set) var lost: [CheckFinding.Blob] = []
        package fileprivate(set) var removedPacks = 0
    }

    private let repository: Repository

    package init(_ repository: Repository) { self.repository = repository }

    /// Salvages packs.
    ///
    /// - Parameters:
    ///   - packs: their names; see ``CheckReport/damagedPacks``. They need not be stored, nor be in an index.
    ///   - removes: whether the broken packs are removed at the end. They are in no index then in any case.
    ///   - lock: exclusive.
    /// - Throws: ``RepositoryError``: `invalid` for a shared lock, `unsupported` for a store that keeps everything, `damaged` for
    ///   an index that cannot be read, which is to be repaired first; `StorageError`; whatever `progress` throws.
    package func run(
        _ packs: [ContentID], removingPacks removes: Bool = false, under lock: RepositoryLock,
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try lock.checkExclusive(for: repository)
        let index = try StoredIndex.read(repository, progress)
        if let (_, error) = index.unreadable.first { throw error }
        try repository.refuseAppendOnly()
        let broken = Set(packs)
        var rest = index.table
        rest.remove(broken)
        rest.settle()
        repository.use(rest)
        var report = try save(packs.filter { broken.contains($0) }, index.files, rest, lock, progress)
        var rewriter = IndexRewriter(repository)
        try rewriter.rewrite(index.files, keeping: { !$0.isMarked && !broken.contains($0.id) }, progress)
        try rewriter.finish()
        try lock.check()
        try repository.remove(.index, rewriter.obsolete, under: lock, progress)
        if removes {
            try repository.remove(.data, broken.sorted(), under: lock, progress)
            report.removedPacks = broken.count
        }
        return report
    }

    private func save(
        _ packs: [ContentID], _ files: [ContentID], _ rest: BlobTable, _ lock: RepositoryLock,
        _ progress: MaintenanceProgress
    ) throws -> Report {
        let listed = try StoredIndex.blobs(ofPacks: Set(packs), files, repository, progress)
        let writer = RepositoryWriter(repository)
        let savers = SaverPool(writer)
        let report = Mutex(Report())
        let lost = Mutex<Set<CheckFinding.Blob>>([])
        let saved = Mutex<Set<CheckFinding.Blob>>([])
        try ParallelBatches.run(count: packs.count) {
        } work: { _, number in
            try lock.check()
            let pack = packs[number]
            let blobs = try Set(listed[pack] ?? []).union(header(of: pack)).sorted { $0.offset < $1.offset }
            try PackRun.read(blobs, of: pack, repository) { blob, content in
                let name = CheckFinding.Blob(kind: blob.kind, id: blob.id)
                if rest.position(of: blob.id, blob.kind) != nil {
                    report.withLock { $0.elsewhere += 1 }
                } else if let content {
                    try savers.save(content, blob.kind, compresses: blob.isCompressed)
                    saved.withLock { _ = $0.insert(name) }
                } else {
                    lost.withLock { _ = $0.insert(name) }
                }
            }
        } report: {
            try progress(.repacking, Int64($0), Int64(packs.count))
        }
        try savers.finish()
        var all = report.withLock { $0 }
        let good = saved.withLock { $0 }
        all.saved = good.count
        all.lost = lost.withLock { $0 }.subtracting(good).sorted { $0.id < $1.id }
        return all
    }

    /// None where the header cannot be read.
    private func header(of pack: ContentID) throws -> [PackedBlob] {
        do {
            return try repository.header(of: pack, size: repository.store.size(of: .file(.data, pack)))
        } catch  where Repository.isOfFile(error) {
            return []
        }
    }
}
