package import ValiseStorage

/// What a check went through, and what it found.
package struct CheckReport: Sendable {
    /// What a snapshot loses.
    package struct Loss: Sendable {
        package let snapshot: ContentID
        /// Files and folders.
        package internal(set) var entries = 0
        /// Paths of some of them, in the snapshot.
        package internal(set) var examples: [String] = []

        static let mostExamples = 20
    }

    /// Errors first, each kind together.
    package internal(set) var findings: [CheckFinding] = []
    /// Findings that are not in the list because there are too many of their kind.
    package internal(set) var omitted: [CheckFinding.Kind: Int] = [:]
    /// All packs with something that cannot be read, also those of which no finding is in the list.
    package internal(set) var damagedPacks: [ContentID] = []
    /// Whether there is no intact copy of a blob, also where no finding names it.
    package internal(set) var isLost: @Sendable (CheckFinding.Blob) -> Bool = { _ in false }
    /// Snapshots that cannot be restored completely, the oldest first.
    package internal(set) var losses: [Loss] = []

    package internal(set) var snapshots = 0
    package internal(set) var indexes = 0
    /// That an index has.
    package internal(set) var packs = 0
    /// Each as often as it is stored.
    package internal(set) var blobs = 0
    package internal(set) var trees = 0
    /// Blobs that snapshots use.
    package internal(set) var usedBlobs = 0
    /// All stored packs.
    package internal(set) var storedBytes: Int64 = 0
    /// Packs whose content was read, and their bytes.
    package internal(set) var readPacks = 0
    package internal(set) var readBytes: Int64 = 0

    /// Whether there is no error.
    package var isIntact: Bool { findings.allSatisfy { $0.severity == .hint } }

    /// Errors only.
    package var errors: [CheckFinding] { findings.filter { $0.severity == .error } }
}
