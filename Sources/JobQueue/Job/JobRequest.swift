/// A job that is to be written.
public struct JobRequest: Sendable, Equatable {
    /// Which ``JobHandler`` does it, such as `file.upload`.
    public var kind: String
    /// What a person reads in a list.
    public var title: String
    /// What the handler needs to know, as JSON; never a secret. At most ``mostBytes``.
    public var payload: [UInt8]
    /// As long as a job of this kind and key has not ended, adding another gives that one.
    public var uniqueKey: String?
    public var queue: JobQueueName
    /// Higher ones first; among equals the older.
    public var priority: Int
    /// How many temporary failures make it a dead letter.
    public var mostAttempts: Int
    /// What must be finished before it runs.
    public var needs: [JobID]
    /// How long it waits at least.
    public var delay: Duration

    /// The most bytes of a payload, a result or a checkpoint: 16 MiB.
    public static let mostBytes = 16 << 20

    public init(
        kind: String, title: String = "", payload: [UInt8] = [], uniqueKey: String? = nil,
        queue: JobQueueName, priority: Int = 0, mostAttempts: Int = 10, needs: [JobID] = [],
        delay: Duration = .zero
    ) {
        self.kind = kind
        self.title = title
        self.payload = payload
        self.uniqueKey = uniqueKey
        self.queue = queue
        self.priority = priority
        self.mostAttempts = mostAttempts
        self.needs = needs
        self.delay = delay
    }
}
