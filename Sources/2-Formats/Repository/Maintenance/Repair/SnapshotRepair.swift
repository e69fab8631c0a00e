import Synchronization
import ValiseFailures
package import ValiseStorage

/// Writes snapshots anew without what is lost.
///
/// Of a file with lost blobs the rest stays, under a name that ends in `.repaired`; a lost folder becomes an empty one. The new
/// snapshot names the old one as its original and has the tag `repaired`, as restic does it. The old snapshot stays.
package struct SnapshotRepair: Sendable {
    /// A snapshot that was written anew.
    package struct Repaired: Sendable {
        package let snapshot: ContentID
        package let replacement: ContentID
        /// Paths of the files and folders that lost something.
        package let entries: [String]
    }

    /// What was done.
    package struct Report: Sendable {
        package fileprivate(set) var intact = 0
        package fileprivate(set) var repaired: [Repaired] = []
        /// Those that cannot be repaired, and why: of one without a tree nothing is left.
        package fileprivate(set) var failed: [(id: ContentID, error: any Error)] = []
        package fileprivate(set) var removed: [ContentID] = []
    }

    /// What would be done.
    package struct Outlook: Sendable {
        package fileprivate(set) var intact = 0
        /// Snapshots that would be written anew, with paths of the files and folders that lost something.
        package fileprivate(set) var affected: [(id: ContentID, entries: [String])] = []
        package fileprivate(set) var failed: [(id: ContentID, error: any Error)] = []
    }

    /// A snapshot with the tree that it has without what is lost.
    private struct Rewritten {
        let snapshot: StoredSnapshot
        let tree: ContentID
        let entries: [String]
    }

    static let tag = "repaired"

    private let repository: Repository

    package init(_ repository: Repository) { self.repository = repository }

    /// Repairs all snapshots that need it.
    ///
    /// - Parameters:
    ///   - isDamaged: of a blob that is in the index, whether it cannot be read; see ``CheckReport/isLost``.
    ///   - removes: whether snapshots that were written anew are removed.
    ///   - lock: exclusive, where snapshots are removed.
    /// - Throws: ``RepositoryError``: `invalid` for a shared lock, `unsupported` for a store that keeps everything, `damaged` for
    ///   an index that cannot be read; `StorageError`; whatever `progress` throws.
    package func run(
        losing isDamaged: @escaping @Sendable (CheckFinding.Blob) -> Bool = { _ in false },
        removingSnapshots removes: Bool = false, under lock: RepositoryLock,
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try removes ? lock.checkExclusive(for: repository) : lock.check()
        var report = Report()
        let snapshots = try snapshots(&report.failed)
        if removes { try repository.refuseAppendOnly() }
        let trees = try rewrite(snapshots, isDamaged, writes: true, &report.failed) {
            try lock.check()
            try progress($0, $1, $2)
        }
        for rewritten in trees {
            let (snapshot, tree) = (rewritten.snapshot, rewritten.tree)
            guard tree != snapshot.record.tree else {
                report.intact += 1
                continue
            }
            let replacement = try replace(snapshot, tree, snapshots)
            report.repaired.append(
                Repaired(snapshot: snapshot.id, replacement: replacement, entries: rewritten.entries))
            // What a later program wrote into it is not in the new one.
            guard removes, !snapshot.record.hasUnknownFields else { continue }
            try lock.check()
            try repository.store.remove(.file(.snapshots, snapshot.id))
            report.removed.append(snapshot.id)
        }
        return report
    }

    /// What ``run(losing:removingSnapshots:under:_:)`` would do. Nothing is written.
    ///
    /// - Throws: as that, but for the lock and the store that keeps everything.
    package func plan(
        losing isDamaged: @escaping @Sendable (CheckFinding.Blob) -> Bool = { _ in false },
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Outlook {
        var outlook = Outlook()
        let trees = try rewrite(
            snapshots(&outlook.failed), isDamaged, writes: false, &outlook.failed, progress)
        for rewritten in trees {
            if rewritten.tree == rewritten.snapshot.record.tree {
                outlook.intact += 1
            } else {
                outlook.affected.append((rewritten.snapshot.id, rewritten.entries))
            }
        }
        return outlook
    }

    private func snapshots(
        _ failed: inout [(id: ContentID, error: any Error)]
    ) throws -> [StoredSnapshot] {
        try repository.snapshots { error in
            let subject = (error as? RepositoryError)?.subject ?? ""
            if let id = ContentID(text: String(subject.suffix(2 * ContentID.size))) {
                failed.append((id, error))
            }
        }
    }

    private func rewrite(
        _ snapshots: [StoredSnapshot], _ isDamaged: @escaping @Sendable (CheckFinding.Blob) -> Bool,
        writes: Bool, _ failed: inout [(id: ContentID, error: any Error)], _ progress: MaintenanceProgress
    ) throws -> [Rewritten] {
        let index = try StoredIndex.read(repository, progress)
        if let (_, error) = index.unreadable.first { throw error }
        repository.use(index.table)
        var rewriting = try TreeRewriting(
            repository, KnownLosses(index.table, StoredPacks(repository.store), isDamaged), writes: writes)
        var trees: [Rewritten] = []
        for (number, snapshot) in snapshots.enumerated() {
            try progress(.trees, Int64(number), Int64(snapshots.count))
            do {
                let (tree, entries) = try rewriting.rewrite(snapshot.record.tree)
                trees.append(Rewritten(snapshot: snapshot, tree: tree, entries: entries))
            } catch  where Repository.isOfFile(error) {
                failed.append((snapshot.id, error))
            }
        }
        try rewriting.finish()
        return trees
    }

    /// - Returns: the new snapshot, or that of an earlier repair.
    private func replace(
        _ snapshot: StoredSnapshot, _ tree: ContentID, _ all: [StoredSnapshot]
    ) throws -> ContentID {
        var record = snapshot.record
        record.tree = tree
        record.original = record.original ?? snapshot.id
        if !record.tags.contains(Self.tag) { record.tags.append(Self.tag) }
        let earlier = all.first { $0.record.tree == tree && $0.record.original == record.original }
        if let earlier { return earlier.id }
        return try repository.save(.snapshots, record.json)
    }
}
