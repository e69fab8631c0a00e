/// A job that is to be written.
public struct JobRequest: Sendable, Equatable {
    /// Which ``JobHandler`` does it, such as `file.upload`.
    public var kind: String
    /// What a user reads in a list.
    public var title: String
    /// What the handler needs to know, as JSON; never a secret. At most ``mostBytes``.
    public var payload: [UInt8]
    /// As long as a job of this kind and key has not ended, adding another gives that one.
    public var uniqueKey: String?
    public var queue: JobQueueName
    /// How many temporary failures make it a dead letter.
    public var mostAttempts: Int
    /// What must be finished before it runs.
    public var needs: [JobID]

    /// The most bytes of a payload, a result or a checkpoint: 16 MiB.
    public static let mostBytes = 16 << 20

    public init(
        kind: String, title: String = "", payload: [UInt8] = [], uniqueKey: String? = nil,
        queue: JobQueueName, mostAttempts: Int = 10, needs: [JobID] = []
    ) {
        self.kind = kind
        self.title = title
        self.payload = payload
        self.uniqueKey = uniqueKey
        self.queue = queue
        self.mostAttempts = mostAttempts
        self.needs = needs
    }
}
