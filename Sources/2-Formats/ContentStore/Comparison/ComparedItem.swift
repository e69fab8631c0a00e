import ValiseFiles

/// A file or a symbolic link of a folder, as it was compared.
package struct LocalState: Sendable, Hashable {
    package let kind: ContentKind
    /// Of the content; of a link what stands for its target. Nil where the sizes told that the contents differ.
    package let digest: ContentDigest?
    /// In bytes; 0 for a link.
    package let size: Int64
    /// Seconds since 1970, and the rest in nanoseconds.
    package let modified: ModificationTime

    /// Whether a file still is what was compared, as far as size and time tell.
    func isSame(_ attributes: FileAttributes) -> Bool {
        modified == ModificationTime(attributes) && (kind == .link || size == attributes.size)
    }
}

extension ModificationTime {
    init(_ attributes: FileAttributes) {
        self.init(
            seconds: attributes.modificationTime,
            nanoseconds: UInt32(clamping: attributes.modificationNanoseconds))
    }
}

/// What a store has of a path, as it was compared.
package struct RemoteState: Sendable, Hashable {
    package let kind: ContentKind
    package let digest: ContentDigest
    /// In bytes; 0 for a link.
    package let size: Int64
    package let clock: VectorClock
    /// The device that wrote it; may be empty.
    package let device: String
    package let contentVersion: String

    init(_ item: StoredItem) throws {
        kind = item.content.kind
        digest = try item.content.digest()
        size = item.content.size
        clock = item.content.clock
        device = item.content.device
        contentVersion = item.contentVersion
    }
}

/// A path that is in a folder, in a store, or in both.
package struct ComparedItem: Sendable, Hashable {
    /// How the folder is to the store.
    package enum State: String, Sendable, CaseIterable {
        case same
        case changed
        /// Only the folder has it.
        case added
        /// Only the store has it.
        case removed
    }

    package let path: StorePath
    package let local: LocalState?
    package let remote: RemoteState?
    /// Whether the store has a tombstone.
    package let isDeleted: Bool

    /// Nil for a tombstone of what is not in the folder either.
    package var state: State? {
        switch (local, remote) {
        case (let local?, let remote?):
            local.kind == remote.kind && local.digest == remote.digest ? .same : .changed
        case (_?, nil): .added
        case (nil, _?): .removed
        case (nil, nil): nil
        }
    }
}

/// How many paths a comparison had of each kind.
package struct StoreComparisonReport: Sendable, Equatable {
    package internal(set) var counts: [ComparedItem.State: Int] = [:]
    /// Paths that could not be compared, and why.
    package internal(set) var problems: [ComparisonProblem] = []

    /// Whether folder and store have the same.
    package var isSame: Bool {
        problems.isEmpty && counts.allSatisfy { $0.key == .same || $0.value == 0 }
    }
}

/// A path that could not be compared.
package struct ComparisonProblem: Sendable, Hashable {
    package let path: String
    /// One sentence in lower case.
    package let message: String
}
