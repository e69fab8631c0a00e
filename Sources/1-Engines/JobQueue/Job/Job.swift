public import ValiseConcurrency

/// A job as the database had it at one moment.
public struct Job: Sendable, Equatable {
    public let id: JobID
    package let kind: String
    /// What lists call it.
    public let title: String
    package let payload: [UInt8]
    package let uniqueKey: String?
    package let queue: JobQueueName
    /// Temporary failures so far.
    package let attempts: Int
    package let mostAttempts: Int
    /// What must be finished before it runs, done or not.
    package let needs: [JobID]
    /// How many of those are not finished yet.
    package let openNeeds: Int

    /// How far it is.
    public let state: JobState
    /// Running by the database, but its worker is gone or has not been heard of for as long as a lease lasts: whoever takes
    /// jobs next takes it over.
    package let isLeft: Bool
    /// Running, and asked to stop.
    package let isCancelling: Bool
    /// The process that has it; nil where it does not run.
    package let process: Int32?
    /// When a waiting job runs at the earliest, in seconds since 1970 by the clock as it goes now; nil where it could run
    /// at once, and for all that do not wait.
    package let nextTry: Int64?
    /// Why it failed, waits for another try or for a user; nil where there is nothing to say.
    public let reason: String?
    /// The needed job whose failure or cancellation made this one fail.
    package let failedBy: JobID?

    /// What the process that runs it last told.
    public let progress: OperationProgress?
    /// What the handler wrote down to go on from; nil for none.
    package let checkpoint: [UInt8]?
    /// What the handler left when it finished; nil for none.
    package let result: [UInt8]?

    /// In seconds since 1970, by the clock as it went then.
    package let created: Int64
    /// The last change of its state, the same way.
    package let changed: Int64
}
