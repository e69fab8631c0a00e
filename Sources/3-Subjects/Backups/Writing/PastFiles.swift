import ValiseAccounts
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// The files of the snapshot that is compared with: what of a file that did not change need not be read again.
struct PastFiles {
    /// What counts of a file.
    struct PastFile {
        let size: UInt64
        let modified: RecordTime
        let changed: RecordTime
        let inode: UInt64
        let content: [ContentID]
    }

    private var files: [[UInt8]: PastFile] = [:]
    private var folders: [[UInt8]: ContentID] = [:]

    /// Nothing: everything is new.
    init() {}

    /// - Throws: `RepositoryError`; `StorageError`; ``BackupError``.
    init(_ repository: Repository, _ snapshot: StoredSnapshot) throws {
        let tree = try SnapshotTree(repository, snapshot)
        folders[[]] = tree.folder
        try tree.forEach { path, node in
            if node.kind == .folder, let subtree = node.subtree { folders[path] = subtree }
            guard node.kind == .file, let content = node.content else { return }
            files[path] = PastFile(
                size: node.size, modified: node.modified, changed: node.changed, inode: node.inode,
                content: content)
        }
    }

    /// A file by its path.
    subscript(path: [UInt8]) -> PastFile? { files[path] }

    /// The tree of a folder by its path.
    func folder(_ path: [UInt8]) -> ContentID? { folders[path] }

    /// The content of a file that did not change, as far as size and times tell; nil where it has to be read.
    func unchanged(_ node: TreeNode, _ path: [UInt8], in repository: Repository) -> [ContentID]? {
        guard let past = files[path], node.modified != TreeNode.noTime, past.size == node.size,
            past.modified.utc == node.modified.utc, past.changed.utc == node.changed.utc,
            past.inode == node.inode, past.content.allSatisfy({ repository.contains($0, .data) })
        else { return nil }
        return past.content
    }
}
