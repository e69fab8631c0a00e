import Synchronization
import ValiseEncoding
import ValiseFailures
package import ValiseXFTPWire

extension ChunkStore {
    private static let mostTries = 3

    /// Announces a chunk (`FNEW`). Whether its sender may is the caller's question.
    ///
    /// - Parameters:
    ///   - senderKey: proves that a request is the sender's.
    ///   - size: in bytes, one of the sizes that are allowed.
    ///   - digest: SHA-256 of the chunk.
    ///   - recipients: 1 to 255 keys.
    /// - Returns: new names, those of recipients in the order of their keys.
    /// - Throws: ``XFTPStoreError``, answers `SIZE`, `QUOTA` when there are too many names or the log is too long,
    ///   `FILE_IO`.
    package func create(
        senderKey: PublicKey, size: UInt32, digest: [UInt8], recipients: [PublicKey]
    ) throws -> (sender: EntityID, recipients: [EntityID]) {
        guard settings.allowedSizes.contains(size) else {
            throw XFTPStoreError(
                .invalid, "chunks of \(Count.text(size, "byte")) are not accepted", answer: .size)
        }
        guard digest.count <= 255, let hour = UInt32(exactly: settings.clock() / 3600) else {
            throw XFTPStoreError(.invalid, "not a valid chunk", answer: .command(.syntax))
        }
        let names = try newNames(
            recipients, more: ChunkRecords.weight(of: senderKey, digest: digest))
        var chunk = NewStoredChunk(
            id: StoredID(), key: senderKey, size: size, digest: digest, hour: hour)
        var tries = 1
        while isTaken(chunk.id) {
            guard tries < Self.mostTries else { throw Self.noName }
            chunk.id = StoredID()
            tries += 1
        }
        try change(chunk.id) {
            try commit([.created(chunk), .recipients(chunk.id, names)])
            state.withLock { state in
                // Nobody else makes a name of 16 random bytes twice.
                guard state.records.add(chunk), let slot = state.records.chunk(chunk.id) else { return }
                for name in names { _ = state.records.addRecipient(name, to: slot) }
                state.counters.filesCreated += 1
                state.counters.fileRecipients += names.count
            }
        }
        return (chunk.id.entity, names.map(\.id.entity))
    }

    /// Gives a chunk more recipients (`FADD`).
    ///
    /// - Parameters:
    ///   - keys: 1 to 255.
    ///   - sender: by which the sender knows the chunk.
    /// - Returns: new names in the order of the keys.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `QUOTA` when there are too many names, of all chunks or of
    ///   this one, or the log is too long, `FILE_IO`.
    package func addRecipients(_ keys: [PublicKey], to sender: EntityID) throws -> [EntityID] {
        guard let id = StoredID(sender) else { throw XFTPStoreError.unknownName }
        let names = try newNames(keys, more: 0)
        try change(id) {
            let slot = try state.withLock { try Self.chunk(id, $0.records) }
            let count = state.withLock { Int($0.records.chunks[slot].recipientCount) }
            guard count + names.count <= settings.mostRecipients else { throw tooManyRecipients }
            try commit([.recipients(id, names)])
            state.withLock { state in
                guard let slot = state.records.chunk(id) else { return }
                for name in names { _ = state.records.addRecipient(name, to: slot) }
                state.counters.fileRecipients += names.count
            }
        }
        return names.map(\.id.entity)
    }

    /// Forgets a recipient (`FACK`). The chunk stays for the others.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `FILE_IO`.
    package func acknowledge(_ recipient: EntityID) throws {
        guard let id = StoredID(recipient) else { throw XFTPStoreError.unknownName }
        try changeChunk(ofRecipient: id) { sender in
            _ = try state.withLock { try Self.chunk(sender, $0.records) }
            try commit([.acknowledged(id)])
            state.withLock { state in
                state.records.removeRecipient(id)
                state.counters.fileDownloadAcknowledgements += 1
            }
        }
    }

    /// Looks for the chunk of a recipient, for the operator; a blocked one is found too.
    /// - Throws: ``XFTPStoreError``: `notFound`.
    package func find(recipient: EntityID) throws(XFTPStoreError) {
        guard let id = StoredID(recipient), sender(ofRecipient: id) != nil else {
            throw XFTPStoreError.unknownName
        }
    }

    /// Changes the chunk of a recipient who is still there when its lock is held.
    func changeChunk(ofRecipient id: StoredID, _ body: (StoredID) throws -> Void) throws {
        guard let sender = sender(ofRecipient: id) else { throw XFTPStoreError.unknownName }
        try change(sender) {
            guard self.sender(ofRecipient: id) == sender else { throw XFTPStoreError.unknownName }
            try body(sender)
        }
    }

    private func sender(ofRecipient id: StoredID) -> StoredID? {
        state.withLock { state in
            state.records.chunk(ofRecipient: id).map { state.records.chunks[$0].id }
        }
    }

    private var tooManyRecipients: XFTPStoreError {
        XFTPStoreError(
            .noSpace, "a chunk can have at most \(settings.mostRecipients) recipients. Nothing was changed.",
            answer: .quota)
    }

    private static var noName: XFTPStoreError {
        XFTPStoreError(.failed, "cannot find an unused ID. Nothing was changed.")
    }

    private func isTaken(_ id: StoredID) -> Bool {
        state.withLock { $0.records.chunk(id) != nil || $0.records.recipients.find(id) != nil }
    }

    /// - Parameter more: what is wanted beside the names of the recipients, in names.
    private func newNames(
        _ keys: [PublicKey], more: Int
    ) throws(XFTPStoreError) -> [NewStoredRecipient] {
        guard (1...StoreLogLine.mostRecipients).contains(keys.count) else {
            throw XFTPStoreError(
                .invalid, "the number of recipients must be from 1 to 255", answer: .command(.syntax))
        }
        try checkLogLength()
        let weight = keys.reduce(more) { $0 + ChunkRecords.weight(of: $1) }
        guard state.withLock({ $0.records.weight }) + weight <= settings.mostNames else {
            throw XFTPStoreError(
                .noSpace,
                "the relay has reached its limit of \(settings.mostNames) names (most_names). "
                    + "Nothing was changed.", answer: .quota)
        }
        let names = keys.map { NewStoredRecipient(id: StoredID(), key: $0) }
        guard Set(names.map(\.id)).count == names.count, !names.contains(where: { isTaken($0.id) }) else {
            throw Self.noName
        }
        return names
    }
}
