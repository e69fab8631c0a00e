import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Repairs a repository without removing anything that can still be read: the index, or snapshots that lost something.
package struct RepairRepository: Operation {
    /// What is repaired.
    package enum Part: Sendable, Equatable {
        /// The index says again what is stored.
        case index(readsAllPacks: Bool)
        /// Snapshots are written anew without what is lost; the old ones stay. With the data read, what is damaged counts as lost
        /// too.
        case snapshots(readsData: Bool)
    }

    package var repository: RepositoryInput
    package var part: Part

    package init(_ part: Part, of repository: RepositoryInput) {
        self.part = part
        self.repository = repository
    }

    package func plan(in context: OperationContext) async throws -> RepairedRepository {
        try await repository.locked(loadsIndex: false, in: context) { opened, progress in
            var report = RepairedRepository(repository.place, opened)
            switch part {
            case .index(let readsAll):
                let repair = IndexRepair(opened.repository, readingAll: readsAll)
                report.index = .init(try repair.plan { try opened.tell($0, $1, $2, progress) })
            case .snapshots(let readsData):
                let damaged = try damaged(readsData, opened, progress)
                let outlook = try SnapshotRepair(opened.repository).plan(losing: damaged) {
                    try opened.tell($0, $1, $2, progress)
                }
                report.snapshots = .init(outlook)
            }
            return report
        }
    }

    package func run(in context: OperationContext) async throws -> RepairedRepository {
        // To add snapshots, nobody else has to be kept out.
        let isExclusive = if case .index = part { true } else { false }
        let report = try await repository.locked(
            isExclusive: isExclusive, loadsIndex: false, in: context
        ) { opened, progress in
            var report = RepairedRepository(repository.place, opened)
            switch part {
            case .index(let readsAll):
                let repair = IndexRepair(opened.repository, readingAll: readsAll)
                report.index = .init(
                    try repair.run(under: opened.lock) { try opened.tell($0, $1, $2, progress) })
            case .snapshots(let readsData):
                let damaged = try damaged(readsData, opened, progress)
                let repaired = try SnapshotRepair(opened.repository).run(
                    losing: damaged, under: opened.lock
                ) {
                    try opened.tell($0, $1, $2, progress)
                }
                report.snapshots = .init(repaired)
            }
            return report
        }
        context.tell(report.entryFailures)
        return report
    }

    /// Blobs that cannot be read.
    private func damaged(
        _ readsData: Bool, _ opened: OpenedRepository, _ progress: ProgressHandler
    ) throws -> Set<CheckFinding.Blob> {
        guard readsData else { return [] }
        let report = try RepositoryCheck(opened.repository, reading: .all).run {
            try opened.tell($0, $1, $2, progress)
        }
        return Set(report.errors.compactMap(\.blob))
    }
}
