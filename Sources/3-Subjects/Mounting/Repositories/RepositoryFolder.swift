import ValiseBackups
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// A folder of a snapshot.
struct RepositoryFolder: TreeFolder {
    private let content: RepositoryContent
    private let tree: ContentID?

    /// - Parameter tree: nil where the entry of the folder has none.
    init(_ content: RepositoryContent, _ tree: ContentID?) {
        self.content = content
        self.tree = tree
    }

    /// - Throws: `RepositoryError`; `StorageError`; `BackupError`: `damaged`.
    func item(named name: [UInt8]) throws -> TreeItem? {
        let tree = try known()
        return try content.folders.index(of: tree) { try FolderIndex(of: Listing(content, tree)) }.items[name]
    }

    /// - Throws: as ``item(named:)``.
    func listing() throws -> any TreeListing { try Listing(content, known()) }

    private func known() throws -> ContentID {
        guard let tree else { throw BackupError(.damaged, "a folder of the snapshot has no content") }
        return tree
    }

    /// The order is the tree's own, which is that of the names.
    private struct Listing: TreeListing {
        private let content: RepositoryContent
        private let tree: ContentID
        private var reader: TreeReader

        init(_ content: RepositoryContent, _ tree: ContentID) throws {
            self.content = content
            self.tree = tree
            reader = TreeReader(try content.repository.blob(tree, .tree))
        }

        mutating func next() throws -> TreeEntry? {
            while let node = try reader.next() {
                if let entry = try content.entry(node, of: tree) { return entry }
            }
            return nil
        }
    }
}
