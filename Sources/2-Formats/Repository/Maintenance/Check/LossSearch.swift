import Synchronization
import ValiseConcurrency
import ValiseStorage

/// Finds out which files of which snapshots are lost, where blobs are: each snapshot is walked through once more.
struct LossSearch: Sendable {
    let repository: Repository
    let table: BlobTable
    let losses: CheckFindings.Losses

    /// What one snapshot loses.
    struct Result: Sendable {
        var loss: CheckReport.Loss
        /// The lost blobs that it uses. Some of them, where it is very many.
        var blobs: Set<CheckFinding.Blob> = []
    }

    private static let mostBlobs = 100_000

    /// - Returns: of those that lose something, in their order.
    /// - Throws: `StorageError`; whatever `progress` throws.
    func run(_ snapshots: [StoredSnapshot], _ progress: MaintenanceProgress) throws -> [Result] {
        let results = Mutex<[Int: Result]>([:])
        // Each has a path and a few trees in memory.
        try ParallelBatches.run(count: snapshots.count) {
        } work: { _, number in
            let result = try search(snapshots[number])
            if result.loss.entries > 0 { results.withLock { $0[number] = result } }
        } report: {
            try progress(.losses, Int64($0), Int64(snapshots.count))
        }
        return results.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    }

    private func search(_ snapshot: StoredSnapshot) throws -> Result {
        var result = Result(loss: CheckReport.Loss(snapshot: snapshot.id))
        var seen: Set<ContentID> = [snapshot.record.tree]
        var waiting: [(tree: ContentID, path: String)] = [(snapshot.record.tree, "")]
        while let (tree, path) = waiting.popLast() {
            guard !losses.contains(tree, .tree), let nodes = try read(tree) else {
                add(CheckFinding.Blob(kind: .tree, id: tree), path.isEmpty ? "/" : path, &result)
                continue
            }
            for node in nodes {
                let name = path + "/" + String(decoding: node.name, as: UTF8.self)
                let lost = (node.content ?? []).filter { losses.contains($0, .data) }
                    .map { CheckFinding.Blob(kind: .data, id: $0) }
                if let first = lost.first {
                    add(first, name, &result)
                    if result.blobs.count < Self.mostBlobs { result.blobs.formUnion(lost) }
                }
                if let subtree = node.subtree, seen.insert(subtree).inserted {
                    waiting.append((subtree, name))
                }
            }
        }
        return result
    }

    private func add(_ blob: CheckFinding.Blob, _ path: String, _ result: inout Result) {
        result.loss.entries += 1
        if result.loss.examples.count < CheckReport.Loss.mostExamples { result.loss.examples.append(path) }
        if result.blobs.count < Self.mostBlobs { result.blobs.insert(blob) }
    }

    /// Nil for one that cannot be read.
    private func read(_ tree: ContentID) throws -> [TreeNode]? {
        do {
            return try Tree(repository.content(of: tree, .tree, table.locations(of: tree, .tree))).nodes
        } catch  where Repository.isOfFile(error) {
            return nil
        }
    }
}
