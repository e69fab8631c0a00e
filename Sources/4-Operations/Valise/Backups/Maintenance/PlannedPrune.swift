import ValiseRepository
import ValiseStorage

/// What a prune would remove and write again.
public struct PlannedPrune: OperationReport {
    /// Files of a repository with data.
    package struct Packs: Sendable, Encodable, Equatable {
        package let count: Int
        package let bytes: Int64

        fileprivate init(_ packs: PrunePlan.Packs) { (count, bytes) = (packs.count, packs.bytes) }
    }

    /// Pieces of data.
    package struct Blobs: Sendable, Encodable, Equatable {
        package let count: Int
        /// As they are stored.
        package let bytes: Int64

        fileprivate init(_ blobs: PrunePlan.Blobs) { (count, bytes) = (blobs.count, blobs.bytes) }
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// The repository's own ID, in hexadecimal digits.
    package let repository: String
    /// Those that are kept.
    package let snapshots: Int
    package let kept: Packs
    /// Written again without what no snapshot uses.
    package let repacked: Packs
    /// What of these is written again.
    package let rewritten: Blobs
    package let removed: Packs
    /// In no index, and removed.
    package let unindexed: Packs
    /// In no index, and left for a later prune.
    package let spared: Packs
    package let used: Blobs
    package let unused: Blobs
    /// What of `unused` stays.
    package let remaining: Blobs
    /// Whether there is nothing to do.
    package let isEmpty: Bool
    /// About so many bytes are freed.
    package let freed: Int64

    init(_ place: RepositoryPlace, _ opened: OpenedRepository, _ plan: PrunePlan) {
        let figures = plan.figures
        self.place = place.absoluteText
        repository = opened.repository.config.id.text
        snapshots = figures.snapshots
        kept = Packs(figures.kept)
        repacked = Packs(figures.repacked)
        rewritten = Blobs(figures.rewritten)
        removed = Packs(figures.removed)
        unindexed = Packs(figures.unindexed)
        spared = Packs(figures.spared)
        used = Blobs(figures.used)
        unused = Blobs(figures.unused)
        remaining = Blobs(figures.remaining)
        isEmpty = plan.isEmpty
        freed =
            figures.removed.bytes + figures.unindexed.bytes
            + max(0, figures.repacked.bytes - figures.rewritten.bytes)
    }
}

/// What a prune did.
package struct PrunedRepository: OperationReport {
    /// As it was planned.
    package let plan: PlannedPrune
    package let removedPacks: Int
    package let writtenPacks: Int
    package let writtenBytes: Int64
    package let removedIndexes: Int
    package let writtenIndexes: Int

    init(_ plan: PlannedPrune, _ report: PruneReport) {
        self.plan = plan
        (removedPacks, writtenPacks) = (report.removedPacks, report.writtenPacks)
        writtenBytes = report.writtenBytes
        (removedIndexes, writtenIndexes) = (report.removedIndexes, report.writtenIndexes)
    }
}
