import ValiseCryptography
import ValiseFailures
import ValiseStorage

/// Writes to a store. Readers of all versions read what it writes in the portable style.
///
/// At any moment a reader finds the previous content of a path or the new one: chunks and manifest are there before the index
/// entry names them.
package struct StoreWriter: Sendable {
    /// How index entries are written.
    package enum Style: String, Sendable, CaseIterable {
        /// Text entries, which all versions of tcfs read; conditional writes where the store has them.
        case portable
        /// As the last version of tcfs writes: staged manifests, reserved names, tombstones. Several writers are safe from each
        /// other.
        case guarded
    }

    package let store: ContentStore
    package let identity: WriterIdentity
    package let style: Style
    /// Whether a write can be bound to what was read before.
    let isConditional: Bool

    /// - Throws: ``ContentStoreError``: `unsupported` for the guarded style in a store without conditional writes; `StorageError`.
    package init(_ store: ContentStore, _ identity: WriterIdentity, _ style: Style = .portable) throws {
        self.store = store
        self.identity = identity
        self.style = style
        isConditional = try store.objects.hasConditionalWrites()
        guard isConditional || style == .portable else {
            throw ContentStoreError(
                .unsupported,
                "the server does not hold conditions of writes, so several writers could overwrite each other. "
                    + "Nothing was written.",
                store.location)
        }
    }

    var objects: any ObjectStore { store.objects }
    var layout: StoreLayout { store.layout }

    static func refuseUnsafe(_ path: StorePath) throws(ContentStoreError) {
        // It says what is wrong.
        if !path.isCanonical { _ = try StorePath(path.text) }
    }

    // MARK: Entries

    /// Replaces an index entry.
    ///
    /// - Parameter previous: as it was read; nil where there was none.
    /// - Throws: ``ContentStoreError``: `conflict` where it is another one now; `StorageError`.
    @discardableResult
    func putEntry(
        _ path: StorePath, _ bytes: [UInt8], over previous: ObjectVersion?
    ) throws -> ObjectVersion {
        let key = try layout.entry(path)
        guard isConditional else {
            // As close as it gets.
            guard try objects.attributes(of: key)?.version == previous else { throw Self.conflict(path) }
            return try objects.put(key, bytes, if: .always)
        }
        do {
            return try objects.put(
                key, bytes, if: previous.map { WriteCondition.isUnchanged($0) } ?? .isAbsent)
        } catch let error as StorageError where error.kind == .changed {
            // An answer that was lost made the store ask twice: then it is our own.
            if let stored = try store.object(key, most: IndexEntry.mostBytes), stored.content == bytes {
                return stored.version
            }
            throw Self.conflict(path, error)
        }
    }

    static func conflict(_ path: StorePath, _ cause: (any Error)? = nil) -> ContentStoreError {
        ContentStoreError(
            .conflict, "another device changed the file in the store meanwhile. It was not replaced.",
            path.text,
            cause: cause)
    }

    /// Stores an object whose name says its content; one that is there has to be the same.
    /// - Throws: ``ContentStoreError``: `damaged`; `StorageError`.
    func putOnce(_ key: ObjectKey, _ bytes: [UInt8]) throws {
        guard isConditional else {
            try objects.put(key, bytes, if: .always)
            return
        }
        do {
            try objects.put(key, bytes, if: .isAbsent)
        } catch let error as StorageError where error.kind == .changed {
            guard try store.object(key, most: max(bytes.count, 1))?.content == bytes else {
                throw ContentStoreError(
                    .damaged, "an object with this name and another content exists. It was not replaced.",
                    key.text, cause: error)
            }
        }
    }

    // MARK: Interrupted runs

    /// What is under a path, once a run that was interrupted is completed in the store.
    /// - Throws: as ``ContentStore/content(of:)``; ``ContentStoreError``: `conflict` where somebody else completes it.
    func settled(_ path: StorePath) throws -> PathContent {
        guard let stored = try store.object(layout.entry(path), most: IndexEntry.mostBytes) else {
            return .nothing
        }
        let entry = try store.entry(stored.content, path)
        let found = try store.content(of: path, entry, stored.version)
        guard case .preparing(_, let pending) = entry, case .item(let item) = found, item.isRolledForward,
            let manifest = try store.pendingManifest(pending, at: path)
        else { return found }
        if manifest.isStaged { try putOnce(layout.manifest(pending.item.manifest), manifest.bytes) }
        let committed = IndexEntry.committed(pending.item)
        let version = try putEntry(path, committed.encoded(), over: stored.version)
        return try store.content(of: path, committed, version)
    }
}
