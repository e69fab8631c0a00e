import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Removes snapshots by rules, or some that are named, after consent. Their data stays until the next prune, which may follow at
/// once.
package struct ForgetSnapshots: Operation {
    package var repository: RepositoryInput
    package var rules = SnapshotRules()
    /// These instead, as ``OpenedRepository/snapshot(_:)`` takes them.
    package var named: [String] = []
    /// Only snapshots of these machines; empty for all.
    package var hosts: [String] = []
    /// Only snapshots with all tags of one of these lists; empty for all.
    package var tags: [[String]] = []
    /// Whether an account may lose its last snapshot.
    package var allowsNone = false
    /// Nil where data stays.
    package var prune: PruneLimits?
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ repository: RepositoryInput) { self.repository = repository }

    /// What would be done.
    private struct Prepared {
        let plan: PlannedForgetting
        let removed: [ContentID]
        let prune: PrunePlan?
    }

    package func plan(in context: OperationContext) async throws -> PlannedForgetting {
        try check()
        return try await repository.locked(loadsIndex: false, in: context) { opened, progress in
            try prepare(opened, pruneWork(context), progress).plan
        }
    }

    package func run(in context: OperationContext) async throws -> ForgottenSnapshots {
        try check()
        let report = try await repository.locked(isExclusive: true, loadsIndex: false, in: context) {
            opened, progress in
            let prepared = try prepare(opened, pruneWork(context), progress)
            var report = ForgottenSnapshots(prepared.plan)
            if prepared.plan.isEmpty { return report }
            try opened.repository.refuseAppendOnly()
            try context.require(
                whileBlocking: .forgetSnapshots(prepared.plan),
                unasked: .unasked("removing snapshots", subject: repository.place.text))
            try remove(prepared, opened, &report, context, progress)
            return report
        }
        context.tell(report.entryFailures)
        return report
    }

    private func check() throws {
        if named.isEmpty == rules.policy.isEmpty {
            throw OperationError(
                .invalid,
                named.isEmpty
                    ? "neither rules nor snapshots say what is removed. Nothing was changed."
                    : "snapshots are removed by rules, or those that are named, not both. Nothing was changed.",
                subject: repository.place.text)
        }
    }

    private func pruneWork(_ context: OperationContext) -> PruneWork? {
        prune.map {
            PruneWork(
                limits: $0, memories: RepositoryMemories(context.folders), place: repository.place,
                now: clock())
        }
    }

    // MARK: Planning

    private func prepare(
        _ opened: OpenedRepository, _ prune: PruneWork?, _ progress: ProgressHandler
    ) throws -> Prepared {
        let groups = try named.isEmpty ? byRules(opened) : byNames(opened)
        let removed = groups.flatMap(\.removed).compactMap { ContentID(text: $0.snapshot) }
        let (place, id) = (repository.place.absoluteText, opened.repository.config.id.text)
        let outlook = PlannedForgetting(place: place, repository: id, groups: groups, prune: nil)
        if !allowsNone, let group = outlook.emptied.first {
            throw OperationError(
                .invalid, "this would remove the last snapshot of this account. Nothing was changed.",
                subject: group.paths.joined(separator: ", "), need: .lastSnapshot)
        }
        let pruning = try prune?.plan(opened, without: Set(removed)) {
            try opened.tell($0, $1, $2, progress)
        }
        return Prepared(
            plan: PlannedForgetting(
                place: place, repository: id, groups: groups,
                prune: pruning.map { PlannedPrune(repository.place, opened, $0) }),
            removed: removed, prune: pruning)
    }

    // MARK: Removing

    private func remove(
        _ prepared: Prepared, _ opened: OpenedRepository, _ report: inout ForgottenSnapshots,
        _ context: OperationContext, _ progress: ProgressHandler
    ) throws {
        try RepositoryMemories(context.folders).forget(opened.repository.config.id, prepared.removed)
        let removal = try SnapshotRemoval.run(
            prepared.removed, from: opened.repository, under: opened.lock
        ) {
            try opened.tell($0, $1, $2, progress)
        }
        report.removed = removal.removed.map(\.text)
        report.failed = removal.failed.map { .init(snapshot: $0.id.text, message: $0.error.sentence) }
        // What a snapshot uses that is still there was planned to go.
        guard removal.failed.isEmpty, let work = pruneWork(context), let plan = prepared.prune,
            let planned = prepared.plan.prune
        else { return }
        let pruned = try work.run(plan, opened) { try opened.tell($0, $1, $2, progress) }
        report.pruned = PrunedRepository(planned, pruned)
    }
}
