/// How a file is uploaded.
package struct StoreUploadOptions: Sendable {
    package var basis = WriteBasis.anything
    package var profile = ChunkProfile.own
    /// Whether chunks are stored although they are there: repairs those that are damaged.
    package var rewritesChunks = false
    /// The digest of the content where it is known; it is verified.
    package var digest: ContentDigest?

    package init(_ basis: WriteBasis = .anything) { self.basis = basis }
}

/// What an upload did.
package struct UploadReport: Sendable, Equatable {
    package enum Outcome: Sendable, Hashable {
        case uploaded
        /// The store has this content already.
        case unchanged
        /// The store has a newer version. Nothing was uploaded.
        case remoteNewer
        /// Both were changed. Nothing was uploaded.
        case conflict(ConflictInfo)
    }

    package let outcome: Outcome
    package let path: StorePath
    /// Of the file here.
    package let digest: ContentDigest
    package let size: Int64
    /// Of the version that is in the store now.
    package let clock: VectorClock
    /// The name of its manifest.
    package let contentVersion: String
    package internal(set) var chunks = 0
    package internal(set) var storedChunks = 0
    package internal(set) var storedBytes: Int64 = 0

    init(
        _ outcome: Outcome, _ path: StorePath, _ digest: ContentDigest, size: Int64, clock: VectorClock,
        contentVersion: String
    ) {
        self.outcome = outcome
        self.path = path
        self.digest = digest
        self.size = size
        self.clock = clock
        self.contentVersion = contentVersion
    }
}
