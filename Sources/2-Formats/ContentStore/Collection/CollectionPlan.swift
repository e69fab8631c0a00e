package import ValiseStorage

/// What a collection removes, as it was planned.
package struct CollectionPlan: Sendable {
    /// An object that nothing uses.
    package struct Object: Sendable, Hashable {
        package let key: ObjectKey
        /// In bytes.
        package let size: Int64
        package let version: ObjectVersion
        /// Seconds since 1970.
        package let modified: Int64

        init(key: ObjectKey, _ attributes: ObjectAttributes) {
            self.key = key
            size = attributes.size
            version = attributes.version
            modified = attributes.modified
        }
    }

    let store: ContentStore
    let rules: CollectionRules
    let used: UsedObjects
    /// When it was made, in seconds since 1970.
    package let time: Int64
    /// Old copies of deleted entries.
    package internal(set) var trash: [Object] = []
    package internal(set) var manifests: [Object] = []
    package internal(set) var chunks: [Object] = []
    /// Objects that nothing uses yet, and that stay because they are young.
    package internal(set) var young = 0
    /// All chunks of the store.
    package internal(set) var storedChunks = 0

    init(store: ContentStore, rules: CollectionRules, used: UsedObjects, time: Int64) {
        self.store = store
        self.rules = rules
        self.used = used
        self.time = time
    }

    package var isEmpty: Bool { trash.isEmpty && manifests.isEmpty && chunks.isEmpty }

    /// Of everything that is removed.
    package var bytes: Int64 {
        [trash, manifests, chunks].joined().reduce(0) { $0 &+ $1.size }
    }
}

/// What a collection removed.
package struct CollectionReport: Sendable, Equatable {
    package internal(set) var removedManifests = 0
    package internal(set) var removedChunks = 0
    package internal(set) var removedCopies = 0
    package internal(set) var removedBytes: Int64 = 0
    /// What was planned and stays: it is used by now, was stored again, or is gone.
    package internal(set) var spared = 0
}
