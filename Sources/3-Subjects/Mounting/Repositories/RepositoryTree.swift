import ValiseBackups
package import ValiseRepository
import ValiseStorage

/// All snapshots of a backup repository, as they were when it was opened:
///
///     hosts/HOST/snapshots/2026-11-21T15:51:09+01:00/…
///     hosts/HOST/snapshots/latest -> 2026-11-21T15:51:09+01:00
///     ids/1f2e3d4c/…
///
/// Files are read piece by piece, and each piece is verified by its digest. Devices, pipes and sockets are not shown.
package final class RepositoryTree: FileTree {
    package let name: String
    package let root: TreeItem
    /// Held as long as it is shown.
    private let lock: RepositoryLock?

    /// A repository only gets more, and what was listed stays.
    package var isConstant: Bool { true }

    /// - Parameters:
    ///   - repository: with its index loaded after the snapshots were listed.
    ///   - snapshots: those that are shown.
    ///   - place: of the repository, as its user writes it; nil for where it is.
    ///   - lock: is released with the tree.
    package init(
        _ repository: Repository, _ snapshots: [StoredSnapshot], at place: String? = nil,
        lock: RepositoryLock? = nil
    ) {
        self.lock = lock
        name = place ?? repository.store.location
        let content = RepositoryContent(repository)
        let folders = SnapshotFolders(snapshots, content)
        root = MemoryFolder([
            TreeEntry(Array("hosts".utf8), folders.hosts), TreeEntry(Array("ids".utf8), folders.ids),
        ]).item()
    }

    deinit { lock?.release() }
}
