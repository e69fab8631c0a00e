package import ValiseStorage

/// A file or a symbolic link of a store: its index entry with the manifest that it names, checked against each other.
package struct StoredItem: Sendable {
    package let path: StorePath
    /// The index entry as it is stored, for writes that are bound to it.
    package let version: ObjectVersion
    /// What the entry says of it.
    package let indexed: IndexedItem
    package let content: StoredContent
    /// Whether a run that published this was interrupted, and it counts because readers complete it.
    package let isRolledForward: Bool

    /// Tells two contents of the path apart.
    package var contentVersion: String { indexed.manifest.text }
}

/// What a path has, with all that its manifest says.
package enum StoredContent: Sendable, Hashable {
    case file(FileManifest)
    case link(LinkManifest)

    /// Nil for a manifest of chunks alone, which no index entry may name.
    init?(_ manifest: StoreManifest) {
        switch manifest {
        case .file(let file): self = .file(file)
        case .link(let link): self = .link(link)
        case .chunks: return nil
        }
    }

    package var clock: VectorClock {
        switch self {
        case .file(let file): file.clock
        case .link(let link): link.clock
        }
    }

    /// The device that wrote it; may be empty.
    package var device: String {
        switch self {
        case .file(let file): file.device
        case .link(let link): link.device
        }
    }

    /// In bytes; 0 for a symbolic link.
    package var size: Int64 {
        if case .file(let file) = self { file.size } else { 0 }
    }

    package var chunks: [ObjectName] {
        if case .file(let file) = self { file.chunks } else { [] }
    }

    package var isEncrypted: Bool {
        if case .file(let file) = self { file.isEncrypted } else { false }
    }
}

/// What is under a path of a store.
package enum PathContent: Sendable {
    case nothing
    /// A tombstone: it was deleted, and whoever has a copy shall delete it.
    case deleted(ObjectVersion)
    /// A run began to publish the first content of this path and was interrupted before there was a manifest.
    case unfinished(ObjectVersion)
    case item(StoredItem)

    /// The index entry as it is stored; nil without one.
    package var version: ObjectVersion? {
        switch self {
        case .nothing: nil
        case .deleted(let version), .unfinished(let version): version
        case .item(let item): item.version
        }
    }

    package var item: StoredItem? {
        if case .item(let item) = self { item } else { nil }
    }
}
