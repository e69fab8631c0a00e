import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Repairs a repository without removing anything that can still be read: the index, damaged packs, or snapshots that lost
/// something.
package struct RepairRepository: Operation {
    /// What is repaired.
    package enum Part: Sendable, Equatable {
        /// The index says again what is stored.
        case index(readsAllPacks: Bool)
        /// All data is read. What is intact in a damaged pack is stored again, and the index has none of that pack any more: then
        /// a backup stores again what the account still has. The pack itself stays until the next prune.
        case packs
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
            case .packs:
                let check = try check(opened, progress)
                report.packs = .init(damaged: check.damagedPacks)
            case .snapshots(let readsData):
                let isLost = try isLost(readsData, opened, progress)
                let outlook = try SnapshotRepair(opened.repository).plan(losing: isLost) {
                    try opened.tell($0, $1, $2, progress)
                }
                report.snapshots = .init(outlook)
            }
            return report
        }
    }

    package func run(in context: OperationContext) async throws -> RepairedRepository {
        // To add snapshots, nobody else has to be kept out.
        let isExclusive = if case .snapshots = part { false } else { true }
        let report = try await repository.locked(
            isExclusive: isExclusive, loadsIndex: false, in: context
        ) { opened, progress in
            var report = RepairedRepository(repository.place, opened)
            switch part {
            case .index(let readsAll):
                let repair = IndexRepair(opened.repository, readingAll: readsAll)
                report.index = .init(
                    try repair.run(under: opened.lock) { try opened.tell($0, $1, $2, progress) })
            case .packs:
                let damaged = try check(opened, progress).damagedPacks
                var salvaged: PackSalvage.Report?
                if !damaged.isEmpty {
                    salvaged = try PackSalvage(opened.repository).run(damaged, under: opened.lock) {
                        try opened.tell($0, $1, $2, progress)
                    }
                }
                report.packs = .init(
                    damaged: damaged, saved: salvaged?.saved ?? 0, lost: salvaged?.lost.count ?? 0)
            case .snapshots(let readsData):
                let isLost = try isLost(readsData, opened, progress)
                let repaired = try SnapshotRepair(opened.repository).run(losing: isLost, under: opened.lock) {
                    try opened.tell($0, $1, $2, progress)
                }
                report.snapshots = .init(repaired)
            }
            return report
        }
        context.tell(report.entryFailures)
        return report
    }

    /// Whether a blob that is in the index cannot be read, as far as that is asked.
    private func isLost(
        _ readsData: Bool, _ opened: OpenedRepository, _ progress: ProgressHandler
    ) throws -> @Sendable (CheckFinding.Blob) -> Bool {
        guard readsData else { return { _ in false } }
        return try check(opened, progress).isLost
    }

    /// What is damaged, of all data.
    private func check(_ opened: OpenedRepository, _ progress: ProgressHandler) throws -> CheckReport {
        try RepositoryCheck(opened.repository, reading: .all).run { try opened.tell($0, $1, $2, progress) }
    }
}
