import ValiseRelay
import ValiseTransfers
import ValiseXFTPWire

/// What a relay of this process has for recipients.
struct ServedContent: Sendable {
    /// A chunk as one recipient knows it, and as its sender does.
    private struct Name: Sendable {
        let recipient: EntityID
        let sender: EntityID
    }

    /// Of all chunks of the content. Of a description behind a link nobody tells who had it from elsewhere.
    private let names: [Name]

    init(_ files: [UploadedFile]) {
        names = files.flatMap(\.parts).flatMap { part in
            part.recipients.flatMap { recipient in
                zip(recipient.replicaNames, part.sender.replicaNames).map {
                    Name(recipient: $0, sender: $1)
                }
            }
        }
    }

    /// Waits until all recipients have told that they received all.
    ///
    /// - Returns: false where chunks were removed instead.
    /// - Throws: `CancellationError`; errors of the store.
    func areReceived(from store: ChunkStore) async throws -> Bool {
        var waiting = names
        var wasRemoved = false
        while !waiting.isEmpty {
            try await Task.sleep(for: .milliseconds(200))
            try waiting.removeAll { name in
                guard try store.recipient(name.recipient) == nil else { return false }
                // A chunk stays when its last recipient is done with it.
                if try store.sender(name.sender) == nil { wasRemoved = true }
                return true
            }
        }
        // The last one waits for its answer.
        try await Task.sleep(for: .seconds(1))
        return !wasRemoved
    }
}

extension FileDescription {
    fileprivate var replicaNames: [EntityID] { chunks.flatMap { $0.replicas.map(\.id) } }
}
