/// What a path in a store stands for: the object `index/PATH`.
///
/// That an object is missing is no deletion: only a tombstone is one.
package enum IndexEntry: Hashable, Sendable {
    /// A version of the file.
    case committed(IndexedItem)
    /// Somebody is about to replace the version, or was interrupted.
    case preparing(current: IndexedItem?, pending: PendingItem)
    /// The file was deleted.
    case deleted(SafetyCopy?)

    /// The version that was there last for certain.
    package var current: IndexedItem? {
        switch self {
        case .committed(let item): item
        case .preparing(let current, _): current
        case .deleted: nil
        }
    }
}

/// A version of a file as its index entry has it.
package struct IndexedItem: Hashable, Sendable {
    /// The name of the manifest.
    package let manifest: ObjectName
    /// In bytes; of a symbolic link the length of its target.
    package let size: Int64
    package let chunks: Int
    /// What a symbolic link points to; nil for a regular file.
    package let target: String?

    package init(manifest: ObjectName, size: Int64, chunks: Int, target: String? = nil) {
        self.manifest = manifest
        self.size = size
        self.chunks = chunks
        self.target = target
    }
}

/// A version that becomes the current one once its manifest is in its place.
package struct PendingItem: Hashable, Sendable {
    package let item: IndexedItem
    /// The key of the manifest until then.
    package let stagedKey: String

    package init(_ item: IndexedItem, stagedKey: String) {
        self.item = item
        self.stagedKey = stagedKey
    }
}

/// Where the index entry of a deleted file was copied to.
package struct SafetyCopy: Hashable, Sendable {
    package let key: String
    /// The digest of the copy, 64 hexadecimal digits.
    package let digest: String

    package init(key: String, digest: String) {
        self.key = key
        self.digest = digest
    }
}
