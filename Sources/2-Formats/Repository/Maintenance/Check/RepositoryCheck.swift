import Synchronization
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// Checks a repository: whether everything is there that snapshots and index files name, and, if asked for, whether the content
/// of packs is what it was.
///
/// It goes on behind every problem. Beside a program that removes files it finds errors that are none: a shared lock at least
/// should be held. Nothing is changed.
package struct RepositoryCheck: Sendable {
    let repository: Repository
    private let share: ReadShare

    package init(_ repository: Repository, reading share: ReadShare = .none) {
        self.repository = repository
        self.share = share
    }

    /// Runs the check.
    ///
    /// - Parameter progress: throw to stop.
    /// - Throws: ``RepositoryError``: `invalid` for a share that there is not; `StorageError` where files cannot be listed, or
    ///   the store is not reached any more; whatever `progress` throws.
    package func run(_ progress: MaintenanceProgress = { _, _, _ in }) throws -> CheckReport {
        // What a snapshot names was indexed before it was written, and stored before that.
        let early = CheckFindings(BlobTable())
        let snapshots = try checkFiles(early, progress)
        let index = try StoredIndex.read(repository, progress)
        let packs = try StoredPacks(repository.store)
        let findings = CheckFindings(index.table)
        for finding in early.all.findings { findings.add(finding) }
        var report = CheckReport()
        report.snapshots = snapshots.count
        report.indexes = index.files.count
        report.packs = index.table.packCount
        report.blobs = index.table.count
        report.storedBytes = packs.files.reduce(0) { $0 + $1.size }
        checkIndex(index, packs, findings)
        let used = UsedBlobs(index.table)
        report.trees = try checkTrees(snapshots, used, findings, progress)
        report.usedBlobs = used.count
        let (copies, bytes) = used.extra
        if copies > 0 {
            findings.add(
                CheckFinding(
                    .duplicateBlobs, "\(Count.text(copies, "used blob")) stored again (\(Count.bytes(bytes)))"
                ))
        }
        try checkContent(index, packs, findings, &report, progress)
        try finish(&report, snapshots, index, findings, progress)
        return report
    }

    // MARK: Small files

    /// Keys, locks and snapshots.
    /// - Returns: snapshots that can be read, the oldest first.
    private func checkFiles(
        _ findings: CheckFindings, _ progress: MaintenanceProgress
    ) throws -> [StoredSnapshot] {
        try readAll(.keys, .unreadableKey, findings, progress) { id in
            _ = try Repository.keyFile(id, repository.store)
        }
        try readAll(.locks, .unreadableLock, findings, progress) { id in
            // Those of programs that were killed may be empty.
            guard try repository.store.size(of: .file(.locks, id)) > 0 else { return }
            _ = try LockRecord(repository.document(.locks, id))
        }
        let snapshots = Mutex<[StoredSnapshot]>([])
        try readAll(.snapshots, .unreadableSnapshot, findings, progress) { id in
            let record = try SnapshotRecord(repository.document(.snapshots, id))
            snapshots.withLock { $0.append(StoredSnapshot(id: id, record: record)) }
        }
        return snapshots.withLock { $0 }
            .sorted { ($0.record.time.utc, $0.id) < ($1.record.time.utc, $1.id) }
    }

    private func readAll(
        _ kind: StoredKind, _ problem: CheckFinding.Kind, _ findings: CheckFindings,
        _ progress: MaintenanceProgress, _ read: @Sendable (ContentID) throws -> Void
    ) throws {
        let ids = try repository.store.list(kind).map(\.id)
        try ParallelBatches.run(count: ids.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            do {
                try read(ids[number])
            } catch let error as StorageError where error.code == .notFound {
                // It was removed after the list was made.
            } catch  where Repository.isOfFile(error) {
                var finding = CheckFinding(problem, error.sentence, .file(kind, ids[number]))
                if kind == .snapshots { finding.snapshots = [ids[number]] }
                findings.add(finding)
            }
        } report: {
            try progress(.files, Int64($0), Int64(ids.count))
        }
    }

    // MARK: Content

    private func checkContent(
        _ index: StoredIndex, _ packs: StoredPacks, _ findings: CheckFindings, _ report: inout CheckReport,
        _ progress: MaintenanceProgress
    ) throws {
        let table = index.table
        let wanted = try share.packs(table.packIDs.filter { packs.size(of: $0) != nil }) {
            packs.size(of: $0) ?? 0
        }
        let total = wanted.reduce(0) { $0 + (packs.size(of: $1) ?? 0) }
        let done = Atomic<Int64>(0)
        let suspects = Mutex<Set<ContentID>>([])
        try ParallelBatches.run(count: wanted.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            let pack = wanted[number]
            guard let size = packs.size(of: pack) else { return }
            let isWhole = try inspect(pack, size, table, findings) { done.add($0, ordering: .relaxed) }
            if !isWhole { suspects.withLock { _ = $0.insert(pack) } }
        } report: { _ in
            try progress(.packs, done.load(ordering: .relaxed), total)
        }
        report.readPacks = wanted.count
        report.readBytes = done.load(ordering: .relaxed)
        try checkSuspects(suspects.withLock { $0 }, index, packs, findings, progress)
    }

    /// - Returns: false where the blobs of the pack have to be read by the index.
    private func inspect(
        _ pack: ContentID, _ size: Int64, _ table: BlobTable, _ findings: CheckFindings,
        _ read: (Int64) -> Void
    ) throws -> Bool {
        let file = StoredName.file(.data, pack)
        let outcome: PackInspection.Outcome
        do {
            outcome = try PackInspection.run(repository, pack, size: size, table, read: read)
        } catch  where Repository.isOfFile(error) {
            findings.add(CheckFinding(.damagedPack, error.sentence, file))
            return false
        }
        if !outcome.isDigestRight {
            findings.add(CheckFinding(.damagedPack, "the content does not match its name", file))
        }
        for (blob, error) in outcome.blobs { report(blob, error, pack, findings) }
        if let problem = outcome.headerProblem {
            findings.add(CheckFinding(.wrongHeader, "header: \(problem.sentence)", file))
        } else if outcome.isHeaderOther {
            findings.add(CheckFinding(.wrongHeader, "the header does not match the index", file))
        }
        return outcome.headerProblem == nil && !outcome.isHeaderOther
    }

    private func report(
        _ blob: PackedBlob, _ error: any Error, _ pack: ContentID, _ findings: CheckFindings
    ) {
        findings.spoil(blob, in: pack)
        findings.add(
            CheckFinding(
                .damagedBlob, error.sentence, .file(.data, pack),
                blob: CheckFinding.Blob(kind: blob.kind, id: blob.id)))
    }

    /// Reads the blobs of packs without a right header where the index says that they are.
    private func checkSuspects(
        _ suspects: Set<ContentID>, _ index: StoredIndex, _ packs: StoredPacks, _ findings: CheckFindings,
        _ progress: MaintenanceProgress
    ) throws {
        let found = try StoredIndex.blobs(ofPacks: suspects, index.files, repository, progress)
        for (pack, blobs) in found.sorted(by: { $0.key < $1.key }) {
            for blob in blobs {
                try progress(.packs, 0, nil)
                do {
                    _ = try repository.content(of: blob, in: pack)
                } catch  where Repository.isOfFile(error) {
                    report(blob, error, pack, findings)
                }
            }
        }
    }
}
