import Synchronization
import ValiseFailures
import ValiseStorage

/// Rewrites trees without what is lost.
struct TreeRewriting: ~Copyable {
    /// A tree that was gone through.
    private struct Rewritten {
        let tree: ContentID
        /// Paths within it.
        let entries: [String]
    }

    private let repository: Repository
    private let losses: KnownLosses
    /// Nil where nothing is written.
    private let savers: SaverPool?
    /// Trees in which nothing is lost, also further down.
    private var intact: BlobMarks
    /// Nil for those that are lost themselves.
    private var changed: [ContentID: Rewritten?] = [:]

    private static let suffix: [UInt8] = Array(".repaired".utf8)
    /// More levels of folders exist on no system.
    private static let deepest = 1000
    private static let mostEntries = 1000

    /// - Parameter writes: whether new trees are stored; only their names are known otherwise.
    init(_ repository: Repository, _ losses: KnownLosses, writes: Bool = true) {
        self.repository = repository
        self.losses = losses
        // A tree that is in the index and lost has to be stored again.
        savers =
            writes
            ? SaverPool(
                RepositoryWriter(
                    repository,
                    isStored: { repository.contains($0, $1) && !losses.contains($0, $1) })) : nil
        intact = BlobMarks(losses.table)
    }

    /// Rewrites a tree, where something is lost.
    ///
    /// - Returns: the tree to use, and the paths of what lost something.
    /// - Throws: ``RepositoryError``: `missing` where the tree itself is lost, `unsupported` where it cannot be written without
    ///   losing more; `StorageError`.
    mutating func rewrite(_ root: ContentID) throws -> (tree: ContentID, entries: [String]) {
        guard let rewritten = try visit(root, depth: 0) else {
            throw RepositoryError(.missing, "the tree of the snapshot is lost", root.text)
        }
        return (rewritten.tree, rewritten.entries)
    }

    /// Stores all trees.
    /// - Throws: ``RepositoryError``; `StorageError`.
    func finish() throws { try savers?.finish() }

    /// - Returns: nil for a tree that is lost.
    private mutating func visit(_ id: ContentID, depth: Int) throws -> Rewritten? {
        if let known = changed[id] { return known }
        let position = losses.table.position(of: id, .tree)
        if let position, intact.contains(position) { return Rewritten(tree: id, entries: []) }
        guard depth < Self.deepest else { throw RepositoryError(.unsupported, "too many levels of folders") }
        guard !losses.contains(id, .tree), let nodes = try read(id) else {
            changed[id] = .some(nil)
            return nil
        }
        var entries: [String] = []
        var rewritten: [TreeNode] = []
        rewritten.reserveCapacity(nodes.count)
        for node in nodes { rewritten.append(try self.rewritten(node, &entries, depth)) }
        guard !entries.isEmpty else {
            if let position { intact.insert(position) }
            return Rewritten(tree: id, entries: [])
        }
        let tree = try save(rewritten)
        let result = Rewritten(tree: tree, entries: entries)
        changed[id] = result
        return result
    }

    /// Nil for what is lost for good. A disk that fails to read may do so another time.
    private func read(_ id: ContentID) throws -> [TreeNode]? {
        do {
            return try Tree(repository.content(of: id, .tree, losses.table.locations(of: id, .tree))).nodes
        } catch let error as RepositoryError where error.kind == .damaged || error.kind == .missing {
            return nil
        } catch let error as StorageError where error.code == .notFound || error.code == .damaged {
            return nil
        }
    }

    private mutating func rewritten(
        _ node: TreeNode, _ entries: inout [String], _ depth: Int
    ) throws -> TreeNode {
        let name = String(decoding: node.name, as: UTF8.self)
        switch node.kind {
        case .file:
            let content = node.content ?? []
            let kept = content.filter { !losses.contains($0, .data) }
            guard kept.count < content.count || node.content == nil else { return node }
            Self.add(name, to: &entries)
            var file = node
            file.content = kept
            file.size = kept.reduce(0) { $0 + size(of: $1) }
            file.name += Self.suffix
            return file
        case .folder:
            let subtree = try node.subtree.flatMap { try visit($0, depth: depth + 1) }
            if let subtree, subtree.tree == node.subtree { return node }
            var folder = node
            if let subtree {
                for entry in subtree.entries { Self.add(name + "/" + entry, to: &entries) }
                folder.subtree = subtree.tree
            } else {
                Self.add(name, to: &entries)
                folder.subtree = try save([])
            }
            return folder
        default: return node
        }
    }

    private static func add(_ entry: String, to entries: inout [String]) {
        if entries.count < mostEntries { entries.append(entry) }
    }

    private func size(of blob: ContentID) -> UInt64 {
        guard let place = losses.table.locations(of: blob, .data).first else { return 0 }
        return UInt64(max(0, PackedBlob(blob, place).contentLength))
    }

    private func save(_ nodes: [TreeNode]) throws -> ContentID {
        var encoder = TreeEncoder()
        for node in Self.sorted(nodes) { try encoder.append(node) }
        let content = encoder.finish()
        return try savers?.save(content, .tree) ?? ContentID(hashing: content)
    }

    /// By their names. One that another entry has already gets the suffix again.
    private static func sorted(_ nodes: [TreeNode]) -> [TreeNode] {
        var taken: Set<[UInt8]> = []
        var unique: [TreeNode] = []
        // Those that keep their names first.
        for var node in nodes.sorted(by: { !$0.name.ends(with: suffix) && $1.name.ends(with: suffix) }) {
            while !taken.insert(node.name).inserted { node.name += suffix }
            unique.append(node)
        }
        return unique.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }
}
