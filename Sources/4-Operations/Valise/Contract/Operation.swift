/// Something that can be done with accounts, archives, keys, media, files, jobs or relays: a value with its options.
///
/// ``plan(in:)`` says what would happen, ``run(in:)`` does it. Both tell what they do by the events of the context, and can be
/// cancelled with their task. What a run that was killed left, another run of the same value completes; an operation that
/// outlives its process is written down as a job, see ``ResumeJob``.
public protocol Operation<Plan, Report>: Sendable {
    /// What would happen: effects, space, time.
    associatedtype Plan: Sendable
    /// What happened.
    associatedtype Report: Sendable

    /// Looks at everything that it would use, and changes nothing.
    func plan(in context: OperationContext) async throws -> Plan

    /// Does it.
    ///
    /// - Throws: `Failure`s of the subjects, whose codes tell what the caller can do; `Interruption` where the task was
    ///   cancelled.
    func run(in context: OperationContext) async throws -> Report
}

/// The plan of an operation that changes nothing: there is nothing to foresee.
public struct ReadsOnly: Sendable, Equatable {
    /// Nothing is in it.
    public init() {}
}

extension Operation where Plan == ReadsOnly {
    public func plan(in context: OperationContext) async throws -> ReadsOnly { ReadsOnly() }
}
