import ValiseRepository
import ValiseStorage

/// How thoroughly a repository is pruned.
package struct PruneLimits: Sendable, Equatable {
    /// How much that no snapshot uses may stay in packs that are used otherwise.
    package enum Unused: Sendable, Equatable {
        /// So many percent of what is in the repository afterwards.
        case percent(Double)
        case bytes(Int64)
        /// All: nothing is written again.
        case unlimited
    }

    package var unused = Unused.percent(5)
    /// No more bytes of packs are written again; nil for any number.
    package var mostRepacked: Int64?
    /// Packs that no index names are removed when a prune saw them so many seconds ago: what a killed run left, a next run may take
    /// up; and what a program that takes no locks is uploading at this moment is in no index yet.
    var unindexedAge: Int64 = 23 * 3600

    package init() {}

    /// - Parameters:
    ///   - seen: packs that no index names, and when a prune saw them first.
    ///   - now: in seconds since 1970.
    func rules(seen: [String: Int64], now: Int64) -> PruneRules {
        var rules = PruneRules()
        rules.mostRepacked = mostRepacked
        rules.tolerated =
            switch unused {
            case .percent(let percent): .percent(percent)
            case .bytes(let bytes): .bytes(bytes)
            case .unlimited: .unlimited
            }
        rules.removesUnindexed = { [unindexedAge] pack, _ in
            seen[pack.text].map { now - $0 >= unindexedAge } ?? false
        }
        return rules
    }
}

/// Plans of prunes, and prunes, for operations.
struct PruneWork: Sendable {
    let limits: PruneLimits
    let memories: RepositoryMemories
    let place: RepositoryPlace
    /// In seconds since 1970.
    let now: Int64

    /// - Parameter forgotten: snapshots that are removed before.
    func plan(
        _ opened: OpenedRepository, without forgotten: Set<ContentID> = [],
        _ progress: MaintenanceProgress
    ) throws -> PrunePlan {
        let seen = try memories.memory(of: opened.repository.config.id)?.unindexedPacks ?? [:]
        return try PrunePlan.make(
            for: opened.repository, limits.rules(seen: seen, now: now), without: forgotten, progress)
    }

    /// Carries a plan out, and remembers which packs are left for another time.
    func run(
        _ plan: PrunePlan, _ opened: OpenedRepository, _ progress: MaintenanceProgress
    ) throws -> PruneReport {
        let report = try plan.run(under: opened.lock, progress)
        try memories.update(opened.repository.config.id, at: place) { memory in
            let seen = memory.unindexedPacks ?? [:]
            let left = plan.spared.map { ($0.text, seen[$0.text] ?? now) }
            memory.unindexedPacks = left.isEmpty ? nil : Dictionary(left) { first, _ in first }
        }
        return report
    }
}
