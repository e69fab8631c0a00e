import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What was fetched from a store to be read: a file, or a folder with all that is in it. It is removed with this object.
final class StoreCopy: Sendable {
    /// What was fetched.
    let path: FilePath
    private let folder: PrivateFolder

    /// - Parameters:
    ///   - text: in the store; empty for its top.
    ///   - store: opened.
    ///   - folders: tell where temporary files may be.
    ///   - progress: throw to stop.
    /// - Throws: `ContentStoreError`, also of a single file of a folder; `StorageError`;
    ///   `FileError`: `noSpace`.
    init(_ text: String, of store: ContentStore, in folders: ValiseFolders, _ progress: ProgressHandler)
        throws
    {
        let places = PrivateFolder.places(folders)
        PrivateFolder.removeLeftovers(in: places)
        let path = try text.isEmpty ? nil : StorePath.named(text)
        if let path, let item = try Self.item(path, store) {
            folder = try Self.folder(item.content.size, places)
            self.path = folder.path.appending(path.name)
            var options = HydrationOptions()
            options.isDurable = false
            try store.hydrate(item, to: self.path, options, progress: progress)
            return
        }
        var copy = StoreTreeCopy(store, path)
        copy.options.isDurable = false
        copy.isAllOrNothing = true
        let items = try copy.items(progress)
        if let unusable = items.failures.first {
            throw ContentStoreError(.damaged, unusable.reason.sentence, unusable.entry)
        }
        folder = try Self.folder(items.size, places)
        self.path = folder.path.appending("fetched")
        try FileSystem().makeDirectory(self.path)
        try copy.copy(items, to: self.path, progress) { _ in }
    }

    /// Nil for a folder.
    private static func item(_ path: StorePath, _ store: ContentStore) throws -> StoredItem? {
        guard let item = try store.content(of: path).item else { return nil }
        guard case .file = item.content else {
            throw ContentStoreError(.unsupported, "a symbolic link, not a file", path.text)
        }
        return item
    }

    private static func folder(_ size: Int64, _ places: [FilePath]) throws -> PrivateFolder {
        guard let folder = try PrivateFolder.make(size: size, in: places) else {
            let place = places.last ?? "/tmp"
            throw FileError(
                .noSpace, "not enough space for \(Count.bytes(size)) that have to be fetched", place,
                remedy: .freeSpace(size, in: place))
        }
        return folder
    }
}
