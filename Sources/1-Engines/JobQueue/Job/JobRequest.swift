/// A job that is to be written.
package struct JobRequest: Sendable, Equatable {
    /// Which ``JobHandler`` does it, such as `file.upload`.
    package var kind: String
    /// What a user reads in a list.
    package var title: String
    /// What the handler needs to know, as JSON; never a secret. At most ``mostBytes``.
    package var payload: [UInt8]
    /// As long as a job of this kind and key has not ended, adding another gives that one.
    package var uniqueKey: String?
    package var queue: JobQueueName
    /// How many temporary failures make it a dead letter.
    package var mostAttempts: Int
    /// What must be finished before it runs.
    package var needs: [JobID]

    /// The most bytes of a payload, a result or a checkpoint: 16 MiB.
    package static let mostBytes = 16 << 20

    package init(
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
