import ValiseCryptography
import ValiseStorage

/// A manifest that is ready for its path.
struct PreparedContent: Sendable {
    let path: StorePath
    let indexed: IndexedItem
    let manifest: [UInt8]

    /// - Throws: `CryptographyError`.
    init(_ path: StorePath, _ file: FileManifest) throws {
        self.path = path
        manifest = file.encoded()
        indexed = IndexedItem(
            manifest: try FileManifest.name(of: manifest), size: file.size, chunks: file.chunks.count)
    }

    /// - Throws: `CryptographyError`.
    init(_ path: StorePath, _ link: LinkManifest) throws {
        self.path = path
        manifest = link.encoded()
        indexed = IndexedItem(
            manifest: try FileManifest.name(of: manifest), size: Int64(link.target.utf8.count), chunks: 0,
            target: link.target)
    }
}

extension StoreWriter {
    /// Gives content its path. All of its chunks are stored.
    ///
    /// - Parameter previous: what the path had when it was looked at.
    /// - Throws: ``ContentStoreError``: `conflict`, `damaged`; `StorageError`; `CryptographyError`.
    func publish(_ content: PreparedContent, over previous: PathContent) throws {
        switch style {
        case .portable: try publishPortable(content, over: previous)
        case .guarded: try publishGuarded(content, over: previous)
        }
    }

    private func publishPortable(_ content: PreparedContent, over previous: PathContent) throws {
        // Not only where there is none: a damaged one gets better.
        try objects.put(layout.manifest(content.indexed.manifest), content.manifest, if: .always)
        // Only JSON says that something is a symbolic link.
        let entry = content.indexed.encodedText ?? IndexEntry.committed(content.indexed).encoded()
        try putEntry(content.path, entry, over: previous.version)
    }

    /// In the order of the last version of tcfs: whoever reads after an interruption completes it, or takes the previous content.
    private func publishGuarded(_ content: PreparedContent, over previous: PathContent) throws {
        try reserve(NamespaceReservation.all(for: content.path))
        let name = content.indexed.manifest
        let staged = try layout.stagedManifest(name, unique: identity.uuid())
        try putOnce(staged, content.manifest)
        let preparing = IndexEntry.preparing(
            current: previous.item?.indexed, pending: PendingItem(content.indexed, stagedKey: staged.text))
        let version = try putEntry(content.path, preparing.encoded(), over: previous.version)
        try putOnce(layout.manifest(name), content.manifest)
        try putEntry(content.path, IndexEntry.committed(content.indexed).encoded(), over: version)
    }

    // MARK: Names

    /// Makes sure that no path of the store differs from these in case only.
    /// - Throws: ``ContentStoreError``: `conflict` where one does, or is a file where a folder is needed; `StorageError`.
    func reserve(_ reservations: [NamespaceReservation]) throws {
        for reservation in reservations {
            let key = try layout.reservation(reservation.name())
            do {
                try objects.put(key, reservation.encoded(), if: .isAbsent)
            } catch let error as StorageError where error.kind == .changed {
                try check(reservation, key)
            }
        }
    }

    private func check(_ reservation: NamespaceReservation, _ key: ObjectKey) throws {
        guard let stored = try store.object(key, most: IndexEntry.mostBytes) else {
            throw ContentStoreError(.conflict, "a reserved name was removed meanwhile", key.text)
        }
        let found = try NamespaceReservation(parsing: stored.content)
        guard found.path == reservation.path else {
            throw ContentStoreError(
                .conflict, "the store has a path that differs in case only: \(found.path)",
                reservation.path.text)
        }
        guard found.role == reservation.role else {
            throw ContentStoreError(
                .conflict, "the name belongs to a \(found.role == .file ? "file" : "folder") of the store",
                reservation.path.text)
        }
    }
}
