package import ValiseStorage

/// Something that a check found.
package struct CheckFinding: Sendable {
    /// Whether something is lost or wrong, or only not as it should be.
    package enum Severity: String, Sendable {
        case error, hint
    }

    /// What was found.
    package enum Kind: String, Sendable, CaseIterable {
        case unreadableKey = "unreadable-key"
        case unreadableSnapshot = "unreadable-snapshot"
        case unreadableLock = "unreadable-lock"
        case unreadableIndex = "unreadable-index"
        /// An index names a pack that is not stored.
        case missingPack = "missing-pack"
        /// A pack has not the size that its blobs add up to.
        case wrongPackSize = "wrong-pack-size"
        /// By the index, blobs of a pack lie over each other, or there is something between them.
        case brokenLayout = "broken-layout"
        /// Two index files say different things of a pack.
        case contradictoryIndexes = "contradictory-indexes"
        /// A pack cannot be read, or its content does not have the digest that is its name.
        case damagedPack = "damaged-pack"
        /// The header of a pack cannot be read, or says other things than the index.
        case wrongHeader = "wrong-header"
        case damagedBlob = "damaged-blob"
        /// A snapshot uses a blob that no index has.
        case missingBlob = "missing-blob"
        /// A tree is damaged, or is none.
        case unreadableTree = "unreadable-tree"
        /// A file without a list of its blobs, or a folder without a tree.
        case invalidNode = "invalid-node"

        case repeatedPack = "repeated-pack"
        /// A pack that no index names: of a run that was killed, or goes on.
        case unindexedPack = "unindexed-pack"
        /// Used blobs that are stored more than once.
        case duplicateBlobs = "duplicate-blobs"
        /// rustic is going to remove a pack.
        case markedPack = "marked-pack"
        /// A pack with data and trees.
        case mixedPack = "mixed-pack"
        /// A file whose blobs have not its size together.
        case wrongFileSize = "wrong-file-size"
        case unsortedTree = "unsorted-tree"

        package var severity: Severity {
            switch self {
            case .repeatedPack, .unindexedPack, .duplicateBlobs, .markedPack, .mixedPack, .wrongFileSize,
                .unsortedTree:
                .hint
            default: .error
            }
        }

        /// Whether a pack itself is damaged, rather than what an index says of it.
        package var isOfPackContent: Bool {
            switch self {
            case .damagedPack, .damagedBlob, .wrongHeader, .wrongPackSize: true
            default: false
            }
        }
    }

    /// A blob of either kind.
    package struct Blob: Sendable, Hashable {
        package let kind: BlobKind
        package let id: ContentID

        package init(kind: BlobKind, id: ContentID) {
            self.kind = kind
            self.id = id
        }
    }

    package let kind: Kind
    /// One clause without the name of the file.
    package let message: String
    /// Where it is; nil for a blob that is nowhere, and for what concerns many files.
    package let file: StoredName?
    package let blob: Blob?
    /// The snapshots that lose something by it, the oldest first.
    package internal(set) var snapshots: [ContentID] = []

    init(_ kind: Kind, _ message: String, _ file: StoredName? = nil, blob: Blob? = nil) {
        self.kind = kind
        self.message = message
        self.file = file
        self.blob = blob
    }

    package var severity: Severity { kind.severity }
}
