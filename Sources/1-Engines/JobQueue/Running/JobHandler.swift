/// Does all jobs of one kind.
///
/// A job may be killed at any moment and is then run again: what it did must be found or done again without harm.
package protocol JobHandler: Sendable {
    /// The ``JobRequest/kind`` of its jobs.
    var kind: String { get }

    /// Does the job, from its checkpoint where it has one.
    ///
    /// - Throws: ``JobFailure``, or an error that `JobFailure.init(_:)` understands. `Interruption`, `CancellationError`
    ///   and whatever is thrown after a cancellation are no failures; thrown without one, the job pauses, longer each time.
    func run(_ job: Job, _ context: JobContext) async throws -> JobOutcome
}

/// What a finished job leaves.
package struct JobOutcome: Sendable, Equatable {
    /// For whoever asks later, as JSON; nil for none.
    package var result: [UInt8]?

    package init(result: [UInt8]? = nil) { self.result = result }
}
