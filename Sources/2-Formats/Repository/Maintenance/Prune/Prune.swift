import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// What a prune did.
package struct PruneReport: Sendable, Equatable {
    /// Files, those that no index named included.
    package internal(set) var removedPacks = 0
    package internal(set) var writtenPacks = 0
    package internal(set) var writtenBytes: Int64 = 0
    package internal(set) var writtenIndexes = 0
    package internal(set) var removedIndexes = 0

    package init() {}
}

extension PrunePlan {
    /// Does what was planned.
    ///
    /// Order: what no index names is removed; new packs and their index are written; index files without the old packs; old
    /// index files are removed; old packs are removed. At any moment each index names packs that are stored, and everything
    /// that a snapshot uses is in an index.
    ///
    /// - Parameter lock: exclusive. The plan may be older than it: what changed meanwhile is noticed.
    /// - Throws: ``RepositoryError``: `invalid` for a shared lock; `locked` for a plan that is outdated, and where the lock is
    ///   gone; `unsupported` for a store that keeps everything; `damaged` where a blob that is used cannot be read: nothing is
    ///   lost then; `StorageError`; whatever `progress` throws.
    package func run(
        under lock: RepositoryLock, _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> PruneReport {
        try lock.checkExclusive(for: repository)
        var report = PruneReport()
        guard !isEmpty else { return report }
        try refuseOutdated()
        try repository.refuseAppendOnly()
        try repository.remove(.data, unindexed, under: lock, progress)
        repository.use(index.table)
        let totals = try repack(lock, progress)
        (report.writtenPacks, report.writtenBytes) = (totals.packs, totals.storedSize)
        var rewriter = IndexRewriter(repository)
        let kept = kept
        try rewriter.rewrite(index.files, joining: joinsIndexes, keeping: { kept.contains($0.id) }, progress)
        try rewriter.finish()
        report.writtenIndexes = rewriter.written.count
        report.removedIndexes = rewriter.obsolete.count
        try lock.confirm()
        let old = removed + repacked.map(\.id)
        do {
            try repository.remove(.index, rewriter.obsolete, under: lock, progress)
            try lock.confirm()
        } catch let error as RepositoryError where error.kind == .locked {
            // Who took the repository meanwhile may count on them.
            try? putBack(old)
            throw error
        }
        repository.forget(old)
        try repository.remove(.data, old, under: lock, progress)
        report.removedPacks = unindexed.count + old.count
        return report
    }

    /// Names packs in an index again. Some may not be stored, as in the index before.
    private func putBack(_ packs: [ContentID]) throws {
        let rewriter = Mutex(IndexRewriter(repository))
        try ParallelBatches.run(count: packs.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            let pack: IndexedPack
            do {
                let size = try repository.store.size(of: .file(.data, packs[number]))
                pack = try IndexedPack(packs[number], repository.header(of: packs[number], size: size))
            } catch  where Repository.isOfFile(error) {
                return
            }
            try rewriter.withLock { rewriter throws in try rewriter.append(pack) }
        }
        try rewriter.withLock { rewriter throws in try rewriter.finish() }
    }

    private func refuseOutdated() throws {
        let store = repository.store
        guard try store.list(.snapshots).map(\.id) == snapshots,
            try store.list(.index).map(\.id) == index.files
        else {
            throw RepositoryError(
                .locked, "the repository was changed since this was planned. Nothing was removed.",
                store.location)
        }
    }

    // MARK: Repacking

    private func repack(_ lock: RepositoryLock, _ progress: MaintenanceProgress) throws -> WrittenTotals {
        // Anew, though the index has them.
        let writer = RepositoryWriter(repository, isStored: { _, _ in false })
        let savers = SaverPool(writer)
        try ParallelBatches.run(count: repacked.count) {
        } work: { _, number in
            try lock.check()
            try repack(repacked[number].id, repacked[number].size, savers)
        } report: {
            try progress(.repacking, Int64($0), Int64(repacked.count))
        }
        try savers.finish()
        return writer.totals
    }

    private func repack(_ pack: ContentID, _ size: Int64, _ savers: SaverPool) throws {
        let table = index.table
        // The identifiers are there only.
        let blobs = try repository.header(of: pack, size: size)
        guard table.matches(try IndexedPack(pack, blobs)) else {
            throw RepositoryError(
                .damaged, "the header does not match the index. Nothing was removed that is used.",
                .file(.data, pack))
        }
        let used = zip(table.positions(inPack: pack), blobs).filter { marks.contains($0.0) }.map(\.1)
        try PackRun.read(used, of: pack, repository) { blob, content in
            let content =
                try content
                ?? repository.content(of: blob.id, blob.kind, table.locations(of: blob.id, blob.kind))
            try savers.save(content, blob.kind, compresses: blob.isCompressed)
        }
    }
}

/// Reads blobs of one pack, many at a time.
enum PackRun {
    private static let largest: Int64 = 4 << 20

    /// - Parameters:
    ///   - blobs: in the order of their offsets.
    ///   - body: gets each with its content, nil where that is damaged.
    /// - Throws: `StorageError` where the store fails; whatever `body` throws.
    static func read(
        _ blobs: [PackedBlob], of pack: ContentID, _ repository: Repository,
        _ body: (PackedBlob, [UInt8]?) throws -> Void
    ) throws {
        var start = 0
        while start < blobs.count {
            var end = start + 1
            while end < blobs.count, blobs[end].offset == blobs[end - 1].range.upperBound,
                blobs[end].range.upperBound - blobs[start].offset <= largest
            { end += 1 }
            try read(run: blobs[start..<end], of: pack, repository, body)
            start = end
        }
    }

    private static func read(
        run: ArraySlice<PackedBlob>, of pack: ContentID, _ repository: Repository,
        _ body: (PackedBlob, [UInt8]?) throws -> Void
    ) throws {
        guard let first = run.first, let last = run.last else { return }
        let bytes =
            try run.count == 1 && !first.fitsMemory
            ? nil : optional { try repository.bytes(of: pack, first.offset..<last.range.upperBound) }
        for blob in run {
            // Of a pack that is too short, the first ones may be there; and what is damaged is read once more.
            let content =
                try bytes.flatMap { bytes in
                    try optional { try decode(blob, bytes, first.offset, pack, repository) }
                }
                ?? optional { try repository.content(of: blob, in: pack) }
            try body(blob, content)
        }
    }

    private static func decode(
        _ blob: PackedBlob, _ bytes: [UInt8], _ start: Int64, _ pack: ContentID, _ repository: Repository
    ) throws -> [UInt8] {
        let place = Int(blob.offset - start)
        return try repository.codecs.use { codec in
            try unsafe bytes.withUnsafeBytes { memory in
                try unsafe blob.decode(
                    UnsafeRawBufferPointer(rebasing: memory[place..<place + blob.sealedLength]), in: pack,
                    &codec)
            }
        }
    }

    /// Nil where the content is damaged or missing, rather than the store not reached.
    private static func optional(_ body: () throws -> [UInt8]) throws -> [UInt8]? {
        do {
            return try body()
        } catch  where Repository.isOfFile(error) {
            return nil
        }
    }
}
