import ValiseAccounts
import ValiseFiles
import ValiseRepository
import ValiseStorage

/// A file of a snapshot that is restored.
struct RestoreItem {
    /// In an archive.
    let name: String
    let node: TreeNode
    /// Nil for what is no database.
    let database: AccountDatabase?

    var content: [ContentID] { node.content ?? [] }
    var size: Int64 { Int64(clamping: node.size) }

    private static let sideFiles = Set(
        AccountDatabase.allCases.flatMap { database in
            DatabaseFile.sideSuffixes.map { database.archiveName + $0 }
        })

    /// The selected files of a snapshot, in its order.
    ///
    /// - Parameter isOwn: whether Valise made the snapshot: databases have no side files then, and one that is there would be
    ///   rolled into the restored database.
    static func all(
        in tree: SnapshotTree, _ selection: RestoreOptions.Selection, isOwn: Bool
    ) throws -> [RestoreItem] {
        var items: [RestoreItem] = []
        try tree.forEach { path, node in
            guard node.kind == .file, node.content != nil,
                let name = String(validating: path, as: UTF8.self),
                !name.utf8.starts(with: "\(BackupMetadata.folder)/".utf8),
                !(isOwn && sideFiles.contains(name)), selection.contains(name)
            else { return }
            let database = AccountDatabase.allCases.first { $0.archiveName == name }
            items.append(RestoreItem(name: name, node: node, database: database))
        }
        return items
    }
}
