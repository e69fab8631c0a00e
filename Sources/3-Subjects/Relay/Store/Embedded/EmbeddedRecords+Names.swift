import Synchronization
import ValiseFailures
import ValiseXFTPWire

extension EmbeddedRecords {
    package func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws {
        let more = ChunkTables.weight(of: chunk.key, digest: chunk.digest)
        try change(chunk.id) {
            // Asked where nobody else can answer it at the same moment: the same call may come several times at once.
            guard !isKnown(chunk, recipients) else { return }
            try checkNames(recipients, more: more)
            guard !isTaken(chunk.id) else { throw XFTPStoreError.takenName }
            try commit([.created(chunk)] + StoreLogLine.naming(recipients, of: chunk.id))
            state.withLock { state in
                // Nobody else makes a name of 16 random bytes twice.
                guard state.records.add(chunk), let slot = state.records.chunk(chunk.id) else { return }
                for recipient in recipients { _ = state.records.addRecipient(recipient, to: slot) }
                state.counters.filesCreated += 1
                state.counters.fileRecipients += recipients.count
            }
        }
    }

    package func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws {
        try change(chunk) {
            let slot = try state.withLock { try Self.chunk(chunk, $0.records) }
            guard !hasAll(recipients, chunk) else { return }
            try checkNames(recipients, more: 0)
            let count = state.withLock { Int($0.records.chunks[slot].recipientCount) }
            guard count + recipients.count <= settings.mostRecipients else { throw tooManyRecipients }
            try commit([.recipients(chunk, recipients)])
            state.withLock { state in
                guard let slot = state.records.chunk(chunk) else { return }
                for recipient in recipients { _ = state.records.addRecipient(recipient, to: slot) }
                state.counters.fileRecipients += recipients.count
            }
        }
    }

    package func acknowledge(_ recipient: StoredID) throws {
        try changeChunk(ofRecipient: recipient) { chunk in
            _ = try state.withLock { try Self.chunk(chunk, $0.records) }
            try commit([.acknowledged(recipient)])
            state.withLock { state in
                state.records.removeRecipient(recipient)
                state.counters.fileDownloadAcknowledgements += 1
            }
        }
    }

    // MARK: Names

    private var tooManyRecipients: XFTPStoreError {
        XFTPStoreError(
            .noSpace, "a chunk can have at most \(settings.mostRecipients) recipients. Nothing was changed.",
            answer: .quota)
    }

    private func isTaken(_ id: StoredID) -> Bool {
        state.withLock { $0.records.chunk(id) != nil || $0.records.recipients.find(id) != nil }
    }

    /// Whether all of it was created before, by the same call.
    private func isKnown(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) -> Bool {
        state.withLock { state in
            guard let slot = state.records.chunk(chunk.id) else { return false }
            return state.records.newChunk(slot) == chunk
                && Set(state.records.newRecipients(slot)).isSuperset(of: recipients)
        }
    }

    /// Whether all of them were added before, by the same call.
    private func hasAll(_ recipients: [NewStoredRecipient], _ chunk: StoredID) -> Bool {
        state.withLock { state in
            recipients.allSatisfy { recipient in
                guard let slot = state.records.recipients.find(recipient.id) else { return false }
                return state.records.chunks[state.records.recipients[slot].chunk].id == chunk
                    && state.records.recipientKey(slot) == recipient.key
            }
        }
    }

    /// - Parameter more: what is wanted beside the names of the recipients, in names.
    private func checkNames(_ recipients: [NewStoredRecipient], more: Int) throws(XFTPStoreError) {
        try checkLogLength()
        let weight = recipients.reduce(more) { $0 + ChunkTables.weight(of: $1.key) }
        guard state.withLock({ $0.records.weight }) + weight <= settings.mostNames else {
            throw XFTPStoreError(
                .noSpace,
                "the relay has reached its limit of \(settings.mostNames) names (most_names). "
                    + "Nothing was changed.", answer: .quota)
        }
        guard Set(recipients.map(\.id)).count == recipients.count,
            !recipients.contains(where: { isTaken($0.id) })
        else { throw .takenName }
    }
}
