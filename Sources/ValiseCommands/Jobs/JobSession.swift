/// One act that runs as a job, as its command sees it.
final class JobSession: Sendable {
    /// What an earlier run had remembered; nil for nothing.
    var memory: [UInt8]? { nil }

    /// Keeps bytes for a later run, durable when it returns. Without a job nothing happens.
    func remember(_ bytes: [UInt8]) {}
}

/// Placeholder until the library is there.
enum JobQueueName: Sendable { case transfers, archives, maintenance }
