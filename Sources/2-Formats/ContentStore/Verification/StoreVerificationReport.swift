/// What a verification went through, and what it found.
package struct StoreVerificationReport: Sendable, Equatable {
    /// Errors first, each kind together; of each kind the first thousand.
    package internal(set) var findings: [StoreFinding] = []
    /// How many there are of each kind.
    package internal(set) var counts: [StoreFinding.Kind: Int] = [:]
    /// How much was read.
    package internal(set) var share = VerificationShare.all
    /// When it began and ended, in seconds since 1970.
    package internal(set) var began: Int64 = 0
    package internal(set) var ended: Int64 = 0

    /// Index entries of files and of symbolic links.
    package internal(set) var files = 0
    package internal(set) var symbolicLinks = 0
    /// Tombstones.
    package internal(set) var deleted = 0
    package internal(set) var folders = 0
    /// That are stored, with or without an index entry.
    package internal(set) var manifests = 0
    package internal(set) var chunks = 0
    /// Stored chunks, in bytes.
    package internal(set) var chunkBytes: Int64 = 0
    /// Manifests and chunks that no file has, and their bytes.
    package internal(set) var orphans = 0
    package internal(set) var orphanBytes: Int64 = 0
    /// Copies of deleted entries.
    package internal(set) var trashed = 0

    /// Files whose content has the hash that their manifest says, and their bytes.
    package internal(set) var verifiedFiles = 0
    package internal(set) var verifiedBytes: Int64 = 0
    /// Chunks that were read, and their bytes; those of several files as often.
    package internal(set) var readChunks = 0
    package internal(set) var readBytes: Int64 = 0

    /// Whether there is no error.
    package var isIntact: Bool { counts.allSatisfy { $0.key.severity == .hint || $0.value == 0 } }

    /// Errors only.
    package var errors: [StoreFinding] { findings.filter { $0.severity == .error } }
}
