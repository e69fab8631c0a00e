import ValiseAccounts
import ValiseFailures
package import ValiseRepository
package import ValiseStorage

/// The files of an account in a snapshot.
package struct SnapshotTree: Sendable {
    private let repository: Repository
    /// The tree of the account's folder.
    package let folder: ContentID

    /// No account is so deep in a snapshot, and no file in an account.
    private static let deepest = 32
    /// So many folders are looked into.
    private static let mostFolders = 10_000

    /// Finds the account: the first folder with a database, or with the metadata of a backup. Others than Valise put all folders
    /// above it into a snapshot.
    ///
    /// - Throws: ``BackupError``: `notFound`; `RepositoryError`; `StorageError`.
    package init(_ repository: Repository, _ snapshot: StoredSnapshot) throws {
        self.repository = repository
        var waiting = [(tree: snapshot.record.tree, depth: 0)]
        var looked = 0
        while looked < waiting.count, looked < Self.mostFolders {
            let (tree, depth) = waiting[looked]
            looked += 1
            let nodes = try Tree(repository.blob(tree, .tree)).nodes
            if nodes.contains(where: Self.isOfAccount) {
                folder = tree
                return
            }
            guard depth < Self.deepest else { continue }
            for node in nodes where node.kind == .folder {
                if let subtree = node.subtree { waiting.append((subtree, depth + 1)) }
            }
        }
        throw BackupError(
            .notFound, "no account in this snapshot (account databases end in _chat.db and _agent.db)",
            "\(snapshot.id)")
    }

    private static let databaseNames = AccountDatabase.allCases.map { Array($0.archiveName.utf8) }
    private static let metadataFolder = Array(BackupMetadata.folder.utf8)

    private static func isOfAccount(_ node: TreeNode) -> Bool {
        switch node.kind {
        case .file: databaseNames.contains(node.name)
        case .folder: node.name == metadataFolder
        default: false
        }
    }

    /// Goes through all that is in the account's folder, folders before what is in them.
    ///
    /// - Parameter body: gets the path in the account's folder, as bytes with slashes, and the entry.
    /// - Throws: `RepositoryError`; `StorageError`; ``BackupError``, `damaged`; whatever `body` throws.
    package func forEach(_ body: (_ path: [UInt8], _ node: TreeNode) throws -> Void) throws {
        try walk(folder, under: [], depth: 0, body)
    }

    private func walk(
        _ tree: ContentID, under path: [UInt8], depth: Int, _ body: ([UInt8], TreeNode) throws -> Void
    ) throws {
        guard depth < Self.deepest else {
            throw BackupError(.damaged, "too many folders within each other", "\(tree)")
        }
        var reader = TreeReader(try repository.blob(tree, .tree))
        while let node = try reader.next() {
            guard NodeName.isEntry(node.name) else {
                throw BackupError(.damaged, "an entry has an impossible name", "\(tree)")
            }
            let place = path + node.name
            try body(place, node)
            if node.kind == .folder, let subtree = node.subtree {
                try walk(subtree, under: place + [UInt8(ascii: "/")], depth: depth + 1, body)
            }
        }
    }

    /// What the snapshot says of its account; nil where Valise did not make it.
    /// - Throws: ``BackupError``: `damaged`, `newer`; `RepositoryError`; `StorageError`.
    package func metadata() throws -> BackupMetadata? {
        guard let tree = try node(Self.metadataFolder, in: folder)?.subtree,
            let content = try node(Array(BackupMetadata.file.utf8), in: tree)?.content
        else { return nil }
        var bytes: [UInt8] = []
        for id in content {
            bytes += try repository.blob(id, .data)
            guard bytes.count <= Self.largestMetadata else {
                throw BackupError(.damaged, "the metadata is too large", BackupMetadata.file)
            }
        }
        return try BackupMetadata(decoding: bytes)
    }

    /// With a line for each missing file.
    private static let largestMetadata = 64 << 20

    private func node(_ name: [UInt8], in tree: ContentID) throws -> TreeNode? {
        var reader = TreeReader(try repository.blob(tree, .tree))
        while let node = try reader.next() {
            if node.name == name { return node }
        }
        return nil
    }
}
