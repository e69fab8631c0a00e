import SystemPackage
import ValiseBackups
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// What all files and folders of a repository have in common: where they are read, and what was read a moment ago.
final class RepositoryContent: Sendable {
    let repository: Repository
    /// Of pieces of files.
    let pieces = BlobCache(capacity: pieceMemory)
    /// Of folders that are looked into.
    let folders = FolderIndexes()

    /// In bytes.
    private static let pieceMemory = 48 << 20

    init(_ repository: Repository) { self.repository = repository }

    /// The folder that a snapshot has at its top.
    func item(of snapshot: StoredSnapshot) -> TreeItem {
        TreeItem(
            .folder(RepositoryFolder(self, snapshot.record.tree)), modified: snapshot.record.time.utc)
    }

    /// An entry of a tree; nil for what cannot be shown.
    /// - Throws: ``BackupError``, `damaged`, for a name that is none.
    func entry(_ node: TreeNode, of tree: ContentID) throws -> TreeEntry? {
        guard NodeName.isEntry(node.name) else {
            throw BackupError(.damaged, "an entry has an impossible name", tree.text)
        }
        guard let content = content(of: node) else { return nil }
        let modified = node.modified == TreeNode.noTime ? nil : node.modified.utc
        return TreeEntry(
            node.name, TreeItem(content, permissions: node.mode.permissions, modified: modified))
    }

    private func content(of node: TreeNode) -> TreeItem.Content? {
        switch node.kind {
        case .folder: .folder(RepositoryFolder(self, node.subtree))
        case .file:
            .file(RepositoryFile(self, node), size: Int64(clamping: node.size))
        case .symlink: .link(node.target)
        case .blockDevice, .characterDevice, .pipe, .socket, .irregular, .unknown: nil
        }
    }
}

/// A file of a snapshot.
private struct RepositoryFile: TreeContent {
    private let content: RepositoryContent
    private let name: [UInt8]
    private let size: UInt64
    private let pieces: [ContentID]?

    init(_ content: RepositoryContent, _ node: TreeNode) {
        self.content = content
        name = node.name
        size = node.size
        pieces = node.content
    }

    /// - Throws: `RepositoryError`: `missing`; ``BackupError``: `damaged`.
    func open(checkpoint: () throws -> Void) throws -> any TreeFile {
        let path = FilePath(String(decoding: name, as: UTF8.self))
        guard let pieces else {
            throw BackupError(.damaged, "the snapshot has no content for this file", path.string)
        }
        let source = try BlobSource(path, pieces, in: content.repository, content.pieces)
        guard UInt64(source.size) == size else {
            throw BackupError(
                .damaged, "the size in the snapshot is not that of the content", path.string)
        }
        return ByteSourceFile(source)
    }
}
