/// Something that can be done with accounts, archives, keys, media, files, jobs or relays: a value with its options.
///
/// ``plan(in:)`` describes what would happen, ``run(in:)`` does it. Both report through the events of the context, and are
/// cancelled with their task. If a run is killed, another run of the same value completes it; an operation that outlives its
/// process is recorded as a job; ``ResumeOperation`` resumes it from its record.
public protocol Operation<Plan, Report>: Sendable {
    /// What would happen: effects and space, and as a ``TimedPlan`` about how long it takes.
    associatedtype Plan: Sendable
    /// What happened, as a type of its own. `Void` where there is nothing to say but that it was done: what restores or removes
    /// one thing, and what gives its results while it runs, such as the rows of a query.
    associatedtype Report: Sendable

    /// Looks at everything that it would use. Nothing changes, except that a plan which has to open an account completes or
    /// rolls back what an interrupted run left there, as every access does that needs the account for itself.
    ///
    /// - Throws: what ``run(in:)`` would throw, as far as it can be known before.
    func plan(in context: OperationContext) async throws -> Plan

    /// Performs the operation.
    ///
    /// - Throws: `Failure`s of the subjects, whose codes say what the caller can do; `Interruption` if the task was
    ///   cancelled.
    func run(in context: OperationContext) async throws -> Report
}

/// The plan of a read-only operation, which is empty.
public struct ReadsOnly: Sendable, Equatable {
    /// An empty plan.
    package init() {}
}

extension Operation where Plan == ReadsOnly {
    public func plan(in context: OperationContext) async throws -> ReadsOnly { ReadsOnly() }
}
