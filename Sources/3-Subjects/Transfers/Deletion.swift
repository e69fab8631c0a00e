import ValiseFailures
public import ValiseXFTPWire

/// What became of the chunks of a deleted file.
public struct DeletionReport: Sendable {
    /// One chunk on one relay.
    public struct Chunk: Sendable {
        /// As in the description, from 1.
        public let number: Int
        public let relay: XFTPAddress
        public let outcome: Outcome
    }

    public enum Outcome: Sendable {
        case deleted
        /// The relay did not know it: it had expired, or was deleted before.
        case alreadyGone
        case failed(any Error)

        /// Whether the relay does not have it now.
        public var isDone: Bool {
            if case .failed = self { false } else { true }
        }
    }

    /// In the order of the description.
    public let chunks: [Chunk]

    /// Whether no relay has any of it.
    public var isComplete: Bool { chunks.allSatisfy(\.outcome.isDone) }
    public var deletedCount: Int { count { if case .deleted = $0 { true } else { false } } }
    public var goneCount: Int { count { if case .alreadyGone = $0 { true } else { false } } }
    public var failedCount: Int { count { !$0.isDone } }

    private func count(_ isCounted: (Outcome) -> Bool) -> Int { chunks.count { isCounted($0.outcome) } }
}

extension DeletionReport: Encodable {
    private enum Keys: String, CodingKey { case deleted, alreadyGone, failed, failures }

    /// Counts, and the chunks that failed with their errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(deletedCount, forKey: .deleted)
        try container.encode(goneCount, forKey: .alreadyGone)
        try container.encode(failedCount, forKey: .failed)
        try container.encode(chunks.compactMap(FailedChunk.init), forKey: .failures)
    }

    private struct FailedChunk: Encodable {
        let chunk: Int
        let relay: String
        let error: String

        init?(_ chunk: Chunk) {
            guard case .failed(let error) = chunk.outcome else { return nil }
            self.chunk = chunk.number
            relay = chunk.relay.text
            self.error = error.sentence
        }
    }
}
