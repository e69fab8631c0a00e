import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseRepository

/// Removes data of a repository that no snapshot uses, after consent. A run that was killed loses nothing: what is not in an index
/// yet stays for a day.
package struct PruneRepository: Operation {
    package var repository: RepositoryInput
    package var limits = PruneLimits()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ repository: RepositoryInput) { self.repository = repository }

    package func plan(in context: OperationContext) async throws -> PlannedPrune {
        let work = work(context)
        return try await repository.locked(loadsIndex: false, in: context) { opened, progress in
            let plan = try work.plan(opened) { try opened.tell($0, $1, $2, progress) }
            return PlannedPrune(repository.place, opened, plan)
        }
    }

    package func run(in context: OperationContext) async throws -> PrunedRepository {
        let work = work(context)
        return try await repository.locked(isExclusive: true, loadsIndex: false, in: context) {
            opened, progress in
            let plan = try work.plan(opened) { try opened.tell($0, $1, $2, progress) }
            let planned = PlannedPrune(repository.place, opened, plan)
            if !planned.isEmpty {
                try opened.repository.refuseAppendOnly()
                try context.require(
                    whileBlocking: .pruneRepository(planned),
                    unasked: .unasked("removing data", subject: repository.place.text))
            }
            let report = try work.run(plan, opened) { try opened.tell($0, $1, $2, progress) }
            return PrunedRepository(planned, report)
        }
    }

    private func work(_ context: OperationContext) -> PruneWork {
        PruneWork(
            limits: limits, memories: RepositoryMemories(context.folders), place: repository.place,
            now: clock())
    }
}
