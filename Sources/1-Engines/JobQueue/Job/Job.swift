public import ValiseConcurrency

/// A job as the database had it at one moment.
public struct Job: Sendable, Equatable {
    public let id: JobID
    public let kind: String
    public let title: String
    public let payload: [UInt8]
    public let uniqueKey: String?
    public let queue: JobQueueName
    /// Temporary failures so far.
    public let attempts: Int
    public let mostAttempts: Int
    /// What must be finished before it runs, done or not.
    public let needs: [JobID]
    /// How many of those are not finished yet.
    public let openNeeds: Int

    public let state: JobState
    /// Running by the database, but its worker is gone or has not been heard of for as long as a lease lasts: whoever takes
    /// jobs next takes it over.
    public let isLeft: Bool
    /// Running, and asked to stop.
    public let isCancelling: Bool
    /// The process that has it; nil where it does not run.
    public let process: Int32?
    /// When a waiting job runs at the earliest, in seconds since 1970 by the clock as it goes now; nil where it could run
    /// at once, and for all that do not wait.
    public let nextTry: Int64?
    /// Why it failed, waits for another try or for a user; nil where there is nothing to say.
    public let reason: String?
    /// The needed job whose failure or cancellation made this one fail.
    public let failedBy: JobID?

    public let progress: OperationProgress?
    /// What the handler wrote down to go on from; nil for none.
    public let checkpoint: [UInt8]?
    /// What the handler left when it finished; nil for none.
    public let result: [UInt8]?

    /// In seconds since 1970, by the clock as it went then.
    public let created: Int64
    /// The last change of its state, the same way.
    public let changed: Int64
}
