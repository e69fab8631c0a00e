/// Where a job stands.
public enum JobState: String, Sendable, Codable, CaseIterable {
    /// It runs when its time has come, what it needs is finished, and its queue has a place.
    case waiting
    /// A worker has it. Whether that one still lives is `Job.isLeft`.
    case running
    /// It waits until a user has done something and resumes it; the reason says what.
    case needsUser = "needsPerson"
    /// Done, with its result.
    case finished
    /// A dead letter: it runs no more until a user asks for another try; the reason says why.
    case failed
    /// A user did not want it any more.
    case cancelled

    /// Whether nothing more happens to it by itself.
    package var isEnded: Bool { [.finished, .failed, .cancelled].contains(self) }
}

/// Queues run side by side, each with its own number of jobs at once.
package enum JobQueueName: String, Sendable, Codable, CaseIterable {
    /// What waits for a network.
    case transfers
    /// What packs, unpacks and encrypts much: the disk's and the processor's work.
    case archives
    /// Short clean-ups.
    case maintenance
}
