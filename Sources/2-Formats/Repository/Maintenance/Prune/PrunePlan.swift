package import ValiseStorage

/// What a prune would do, with figures.
package struct PrunePlan: Sendable {
    /// Numbers of packs, and bytes with their headers.
    package struct Packs: Sendable, Equatable {
        package internal(set) var count = 0
        package internal(set) var bytes: Int64 = 0

        package init() {}

        mutating func add(_ size: Int64) {
            count += 1
            bytes += size
        }
    }

    /// Numbers of blobs, and bytes as they are stored.
    package struct Blobs: Sendable, Equatable {
        package internal(set) var count = 0
        package internal(set) var bytes: Int64 = 0

        package init() {}

        mutating func add(_ count: Int, _ bytes: Int64) {
            self.count += count
            self.bytes += bytes
        }
    }

    /// All packs that an index names are kept, repacked or removed.
    package struct Figures: Sendable, Equatable {
        package internal(set) var snapshots = 0
        package internal(set) var kept = Packs()
        /// Written again without what is not used, and joined.
        package internal(set) var repacked = Packs()
        package internal(set) var removed = Packs()
        /// In no index, and removed.
        package internal(set) var unindexed = Packs()
        /// In no index, and left for another time.
        package internal(set) var spared = Packs()
        /// In an index, not stored, and not used: they are taken out of the index.
        package internal(set) var missing = 0
        package internal(set) var used = Blobs()
        package internal(set) var unused = Blobs()
        /// The part of `unused` that is a further copy of what is used. Of more than 262,144 such blobs it is less.
        package internal(set) var copies = Blobs()
        /// What of `unused` stays.
        package internal(set) var remaining = Blobs()
        /// What of `used` is written again.
        package internal(set) var rewritten = Blobs()
    }

    package internal(set) var figures = Figures()
    /// Packs that no index names, and that are left for another time.
    package internal(set) var spared: [ContentID] = []

    let repository: Repository
    let index: StoredIndex
    /// Used blobs, each at one place.
    let marks: BlobMarks
    /// Of what the plan was made.
    let snapshots: [ContentID]
    var kept: Set<ContentID> = []
    var repacked: [(id: ContentID, size: Int64)] = []
    /// Of the index, without any use. Some may not be stored.
    var removed: [ContentID] = []
    /// Removed though no index names them.
    var unindexed: [ContentID] = []
    /// Whether index files are joined.
    var joinsIndexes = false

    init(_ repository: Repository, _ index: StoredIndex, _ marks: BlobMarks, _ snapshots: [ContentID]) {
        self.repository = repository
        self.index = index
        self.marks = marks
        self.snapshots = snapshots
    }

    /// Whether there is nothing to do.
    package var isEmpty: Bool {
        repacked.isEmpty && removed.isEmpty && unindexed.isEmpty && !joinsIndexes
    }
}
