import ValiseCryptography
import ValiseStorage

/// What was removed.
package struct RemovalReport: Sendable, Equatable {
    /// False where there was nothing, or a tombstone already.
    package let wasThere: Bool
    /// Where its index entry was copied to.
    package let safetyCopy: String?
}

extension StoreWriter {
    /// Removes a file or a symbolic link. Its index entry is copied to the trash before, and manifest and chunks stay until they
    /// are collected.
    ///
    /// - Throws: ``ContentStoreError``: `conflict` where the store has a version that the basis has not seen, or is changed
    ///   meanwhile; as ``ContentStore/content(of:)`` for what cannot be read; `StorageError`.
    @discardableResult
    package func remove(_ path: StorePath, _ basis: WriteBasis = .anything) throws -> RemovalReport {
        let previous = try settled(path)
        switch previous {
        case .nothing, .deleted: return RemovalReport(wasThere: false, safetyCopy: nil)
        case .unfinished: break
        case .item(let item):
            if case .clock(let clock) = basis, ![.less, .equal].contains(item.content.clock.order(to: clock))
            {
                throw ContentStoreError(
                    .conflict, "the store has a version that was not seen here. It was not removed.",
                    path.text)
            }
        }
        guard let stored = try store.object(layout.entry(path), most: IndexEntry.mostBytes),
            stored.version == previous.version
        else { throw Self.conflict(path) }
        let copy = try layout.safetyCopy(path, time: identity.now(), unique: identity.uuid())
        try putOnce(copy, stored.content)
        try remove(path, stored, copy)
        return RemovalReport(wasThere: true, safetyCopy: copy.text)
    }

    private func remove(_ path: StorePath, _ stored: StoredObject, _ copy: ObjectKey) throws {
        switch style {
        case .portable:
            // Programs of the first versions know no tombstones.
            let key = try layout.entry(path)
            guard try objects.attributes(of: key)?.version == stored.version else {
                throw Self.conflict(path)
            }
            try objects.remove(key)
        case .guarded:
            let evidence = SafetyCopy(key: copy.text, digest: try ContentDigest(of: stored.content).text)
            try putEntry(path, IndexEntry.deleted(evidence).encoded(), over: stored.version)
        }
    }

    // MARK: Folders

    /// Makes a folder exist without a file in it.
    /// - Throws: ``ContentStoreError``: `invalid`; `conflict` where a file has the name; `StorageError`.
    package func createDirectory(_ path: StorePath) throws {
        try Self.refuseUnsafe(path)
        for above in path.ancestors + [path] {
            guard try store.object(layout.entry(above), most: IndexEntry.mostBytes) == nil else {
                guard case .deleted = try store.content(of: above) else {
                    throw ContentStoreError(.exists, "a file of the store has this name", above.text)
                }
                continue
            }
        }
        if style == .guarded {
            try reserve((path.ancestors + [path]).map { NamespaceReservation($0, .directory) })
        }
        try putOnce(layout.marker(path), DirectoryMarker.content)
    }

    /// Removes a folder that has no files.
    /// - Returns: whether it had a marker.
    /// - Throws: ``ContentStoreError``: `exists` where something is in it; `StorageError`.
    @discardableResult
    package func removeDirectory(_ path: StorePath) throws -> Bool {
        let marker = try layout.marker(path)
        var isMarked = false
        try objects.list(layout.index(of: path), isDelimited: false, after: nil) { listed in
            if listed.text.utf8.elementsEqual(marker.text.utf8) {
                isMarked = true
                return true
            }
            // What was deleted is nothing.
            if case .object(let key, _) = listed, case .entry(let inside)? = try? layout.place(at: key),
                case .deleted? = try? store.content(of: inside)
            {
                return true
            }
            throw ContentStoreError(.exists, "the folder is not empty. It was not removed.", path.text)
        }
        if isMarked { try objects.remove(marker) }
        return isMarked
    }
}
