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

    static let tag = "repaired"

    private let repository: Repository

    package init(_ repository: Repository) { self.repository = repository }

    /// Repairs all snapshots that need it.
    ///
    /// - Parameters:
    ///   - damaged: blobs that are in the index and cannot be read, such as those of a check's errors.
    ///   - removes: whether snapshots that were written anew are removed.
    ///   - lock: exclusive, where snapshots are removed.
    /// - Throws: ``RepositoryError``: `invalid` for a shared lock, `unsupported` for a store that keeps everything, `damaged` for
    ///   an index that cannot be read; `StorageError`; whatever `progress` throws.
    package func run(
        losing damaged: Set<CheckFinding.Blob> = [], removingSnapshots removes: Bool = false,
        under lock: RepositoryLock, _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> Report {
        try removes ? lock.checkExclusive(for: repository) : lock.check()
        var report = Report()
        let snapshots = try repository.snapshots { error in
            let subject = (error as? RepositoryError)?.subject ?? ""
            if let id = ContentID(text: String(subject.suffix(2 * ContentID.size))) {
                report.failed.append((id, error))
            }
        }
        let index = try StoredIndex.read(repository, progress)
        if let (_, error) = index.unreadable.first { throw error }
        if removes { try repository.refuseAppendOnly() }
        repository.use(index.table)
        var rewriting = try TreeRewriting(
            repository, KnownLosses(index.table, StoredPacks(repository.store), damaged))
        var trees: [(snapshot: StoredSnapshot, tree: ContentID, entries: [String])] = []
        for (number, snapshot) in snapshots.enumerated() {
            try progress(.trees, Int64(number), Int64(snapshots.count))
            try lock.check()
            do {
                let (tree, entries) = try rewriting.rewrite(snapshot.record.tree)
                trees.append((snapshot, tree, entries))
            } catch  where Repository.isOfFile(error) {
                report.failed.append((snapshot.id, error))
            }
        }
        try rewriting.finish()
        for (snapshot, tree, entries) in trees {
            guard tree != snapshot.record.tree else {
                report.intact += 1
                continue
            }
            let replacement = try replace(snapshot, tree, snapshots)
            report.repaired.append(
                Repaired(snapshot: snapshot.id, replacement: replacement, entries: entries))
            // What a later program wrote into it is not in the new one.
            guard removes, !snapshot.record.hasUnknownFields else { continue }
            try lock.check()
            try repository.store.remove(.file(.snapshots, snapshot.id))
            report.removed.append(snapshot.id)
        }
        return report
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

/// What is known to be lost.
struct KnownLosses: Sendable {
    let table: BlobTable
    private let packs: StoredPacks
    private let damaged: Set<CheckFinding.Blob>

    init(_ table: BlobTable, _ packs: StoredPacks, _ damaged: Set<CheckFinding.Blob>) {
        self.table = table
        self.packs = packs
        self.damaged = damaged
    }

    /// Whether no stored pack can have a blob.
    func contains(_ id: ContentID, _ kind: BlobKind) -> Bool {
        if !damaged.isEmpty, damaged.contains(CheckFinding.Blob(kind: kind, id: id)) { return true }
        return table.locations(of: id, kind).allSatisfy { place in
            guard let size = packs.size(of: place.pack) else { return true }
            return Int64(place.offset) + Int64(place.length) > size
        }
    }
}
