import ValiseFailures
package import ValiseXFTPWire

/// The result of deleting the chunks of a file.
package struct DeletionReport: Sendable {
    /// One chunk on one relay.
    package struct Chunk: Sendable {
        /// As in the description, from 1.
        package let number: Int
        package let relay: XFTPAddress
        package let outcome: Outcome
    }

    package enum Outcome: Sendable {
        case deleted
        /// The relay did not know it: it had expired, or was deleted before.
        case alreadyGone
        case failed(any Error)

        /// Whether the relay does not have it now.
        package var isDone: Bool {
            if case .failed = self { false } else { true }
        }
    }

    /// In the order of the description.
    package let chunks: [Chunk]

    /// Whether no relay has any of it any longer.
    package var isComplete: Bool { chunks.allSatisfy(\.outcome.isDone) }
    /// How many chunks the relays deleted.
    package var deletedCount: Int { count { if case .deleted = $0 { true } else { false } } }
    package var goneCount: Int { count { if case .alreadyGone = $0 { true } else { false } } }
    package var failedCount: Int { count { !$0.isDone } }

    private func count(_ isCounted: (Outcome) -> Bool) -> Int { chunks.count { isCounted($0.outcome) } }
}

extension DeletionReport: Encodable {
    private enum Keys: String, CodingKey { case deleted, alreadyGone, failed, failures }

    /// Counts, and the chunks that failed with their errors.
    package func encode(to encoder: any Encoder) throws {
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
