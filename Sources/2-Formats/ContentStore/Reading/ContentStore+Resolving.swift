import ValiseCryptography
import ValiseStorage

extension ContentStore {
    /// What is under a path, with its manifest. Nothing is written: a run that was interrupted is completed in memory.
    ///
    /// - Throws: ``ContentStoreError``: `missing` where the manifest is; `damaged` where index entry and manifest are not what
    ///   they should be, or contradict each other; `newer`; `unsupported`; `StorageError`; `CryptographyError`.
    package func content(of path: StorePath) throws -> PathContent {
        guard let stored = try object(layout.entry(path), most: IndexEntry.mostBytes) else { return .nothing }
        return try content(of: path, entry(stored.content, path), stored.version)
    }

    /// A file or a symbolic link.
    /// - Throws: as ``content(of:)``; ``ContentStoreError``: `missing` where there is none.
    package func resolve(_ path: StorePath) throws -> StoredItem {
        switch try content(of: path) {
        case .item(let item): return item
        case .nothing: throw ContentStoreError(.missing, "no such file in the store", path.text)
        case .deleted: throw ContentStoreError(.missing, "the file was deleted from the store", path.text)
        case .unfinished:
            throw ContentStoreError(.missing, "the file was not uploaded completely", path.text)
        }
    }

    func entry(_ bytes: [UInt8], _ path: StorePath) throws(ContentStoreError) -> IndexEntry {
        do throws(ContentStoreError) {
            return try IndexEntry(parsing: bytes)
        } catch {
            throw error.naming(path.text)
        }
    }

    func content(
        of path: StorePath, _ entry: IndexEntry, _ version: ObjectVersion
    ) throws -> PathContent {
        switch entry {
        case .deleted: return .deleted(version)
        case .committed(let item): return .item(try self.item(item, at: path, version))
        case .preparing(let current, let pending):
            if let bytes = try pendingManifest(pending, at: path)?.bytes {
                return .item(
                    try self.item(pending.item, at: path, version, manifest: bytes, isRolledForward: true))
            }
            guard let current else { return .unfinished(version) }
            return .item(try self.item(current, at: path, version))
        }
    }

    // MARK: Manifests

    /// The manifest of content that is about to be published.
    ///
    /// - Returns: nil where it is neither in its place nor staged.
    /// - Throws: ``ContentStoreError``: `damaged`; `StorageError`.
    func pendingManifest(
        _ pending: PendingItem, at path: StorePath
    ) throws -> (bytes: [UInt8], isStaged: Bool)? {
        let name = pending.item.manifest
        if let final = try object(layout.manifest(name), most: rules.largestManifest) {
            return (final.content, false)
        }
        guard layout.isStaged(pending.stagedKey, of: name) else {
            throw ContentStoreError(.damaged, "the index entry names a staged manifest elsewhere", path.text)
        }
        return try object(ObjectKey(pending.stagedKey), most: rules.largestManifest)
            .map { ($0.content, true) }
    }

    private func item(
        _ indexed: IndexedItem, at path: StorePath, _ version: ObjectVersion, manifest: [UInt8]? = nil,
        isRolledForward: Bool = false
    ) throws -> StoredItem {
        let key = try layout.manifest(indexed.manifest)
        guard let bytes = try manifest ?? object(key, most: rules.largestManifest)?.content else {
            throw ContentStoreError(.missing, "manifest \(indexed.manifest) is missing", path.text)
        }
        return StoredItem(
            path: path, version: version, indexed: indexed,
            content: try content(bytes, of: indexed, at: path), isRolledForward: isRolledForward)
    }

    private func content(
        _ bytes: [UInt8], of indexed: IndexedItem, at path: StorePath
    ) throws -> StoredContent {
        do {
            let manifest = try StoreManifest(parsing: bytes)
            try manifest.check(bytes, against: indexed, at: path)
            guard let content = StoredContent(manifest) else {
                throw ContentStoreError(
                    .damaged, "the index entry names a manifest of the first version, which has no path")
            }
            try refuseShared(manifest, indexed, at: path)
            return content
        } catch let error as ContentStoreError {
            throw error.naming(path.text)
        }
    }

    /// Programs of the last era accept no manifest that several paths share.
    private func refuseShared(
        _ manifest: StoreManifest, _ indexed: IndexedItem, at path: StorePath
    ) throws(ContentStoreError) {
        guard !rules.sharesOldManifests, case .file(let file) = manifest, let recorded = file.path else {
            return
        }
        guard recorded.utf8.elementsEqual(path.text.utf8) else {
            throw ContentStoreError(.damaged, "the manifest is one of another path")
        }
    }

    // MARK: Without an index

    /// A file whose manifest is named instead of its path: what was uploaded without one, in any version of the format.
    ///
    /// - Throws: ``ContentStoreError``: `missing`; `damaged`; `newer`; `unsupported`; `StorageError`; `CryptographyError`.
    package func file(_ name: ObjectName) throws -> FileManifest {
        guard let bytes = try object(layout.manifest(name), most: rules.largestManifest)?.content else {
            throw ContentStoreError(.missing, "no such manifest", name.text)
        }
        do {
            let manifest = try StoreManifest(parsing: bytes)
            guard try manifest.naming(name, bytes) != nil else {
                throw ContentStoreError(.damaged, "the manifest has another name than it should")
            }
            switch manifest {
            case .file(let file): return file
            case .link: throw ContentStoreError(.unsupported, "the manifest is one of a symbolic link")
            case .chunks(let chunks): return try file(of: chunks, name)
            }
        } catch let error as ContentStoreError {
            throw error.naming(name.text)
        }
    }

    /// The first version has the digest of the content as its name, and says nothing of its size.
    private func file(of chunks: [ObjectName], _ name: ObjectName) throws -> FileManifest {
        guard let digest = name.digest else {
            throw ContentStoreError(.unsupported, "the name of the manifest is no digest")
        }
        var size: Int64 = 0
        for chunk in chunks {
            let (sum, overflow) = size.addingReportingOverflow(Int64(try storedSize(chunk, of: name.text)))
            guard !overflow else { throw ContentStoreError(.damaged, "the chunks are too many") }
            size = sum
        }
        return FileManifest(
            content: digest, size: size, chunks: chunks, clock: VectorClock(), device: "", written: 0,
            path: nil)
    }
}
