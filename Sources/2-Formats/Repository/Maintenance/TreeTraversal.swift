import Synchronization
import ValiseConcurrency
import ValiseStorage

/// Goes through the trees of snapshots, each tree once, on all cores: level by level, so that no more than identifiers of trees
/// wait.
struct TreeTraversal: Sendable {
    let repository: Repository
    let table: BlobTable

    /// Trees that were begun.
    private struct Seen {
        var marks: BlobMarks
        /// Of those that no index has.
        var missing: Set<ContentID> = []
        var count = 0

        mutating func insert(_ id: ContentID, _ position: BlobPosition?) -> Bool {
            let isNew = position.map { marks.insert($0) } ?? missing.insert(id).inserted
            if isNew { count += 1 }
            return isNew
        }
    }

    /// - Parameters:
    ///   - roots: trees of snapshots.
    ///   - node: gets each entry with the tree that has it; called on several threads.
    ///   - lost: is told of each tree that cannot be read, and why; called on several threads.
    ///   - unsorted: is told of each tree whose names are not in order.
    ///   - progress: throw to stop.
    /// - Returns: how many trees there are.
    /// - Throws: `StorageError` where the store fails; whatever a closure throws.
    @discardableResult
    func run(
        _ roots: [ContentID], node body: @Sendable (ContentID, TreeNode) throws -> Void,
        lost: @Sendable (ContentID, any Error) throws -> Void,
        unsorted: @Sendable (ContentID) -> Void = { _ in }, progress: MaintenanceProgress
    ) throws -> Int {
        let seen = Mutex(Seen(marks: BlobMarks(table)))
        var level = roots.filter { root in claim(root, seen) }
        while !level.isEmpty {
            let trees = level
            let next = Mutex<[ContentID]>([])
            let before = Int64(seen.withLock { $0.count } - trees.count)
            try ParallelBatches.run(count: trees.count, workers: ParallelBatches.waitingWorkers) {
            } work: { _, number in
                let subtrees = try read(trees[number], body, lost, unsorted)
                let new = subtrees.filter { claim($0, seen) }
                next.withLock { $0 += new }
            } report: { done in
                try progress(.trees, before + Int64(done), nil)
            }
            level = next.withLock { $0 }
        }
        return seen.withLock { $0.count }
    }

    private func claim(_ id: ContentID, _ seen: borrowing Mutex<Seen>) -> Bool {
        let position = table.position(of: id, .tree)
        return seen.withLock { $0.insert(id, position) }
    }

    /// - Returns: the trees of its folders.
    private func read(
        _ id: ContentID, _ body: (ContentID, TreeNode) throws -> Void,
        _ lost: (ContentID, any Error) throws -> Void, _ unsorted: (ContentID) -> Void
    ) throws -> [ContentID] {
        var subtrees: [ContentID] = []
        let content: [UInt8]
        do {
            content = try repository.content(of: id, .tree, table.locations(of: id, .tree))
        } catch  where Repository.isOfFile(error) {
            try lost(id, error)
            return []
        }
        var reader = TreeReader(content)
        while true {
            let node: TreeNode?
            do {
                node = try reader.next()
            } catch {
                try lost(id, error)
                return subtrees
            }
            guard let node else {
                if !reader.isSorted { unsorted(id) }
                return subtrees
            }
            try body(id, node)
            if let subtree = node.subtree { subtrees.append(subtree) }
        }
    }
}
