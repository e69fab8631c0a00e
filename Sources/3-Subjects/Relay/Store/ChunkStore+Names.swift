import ValiseEncoding
import ValiseFailures
package import ValiseXFTPWire

extension ChunkStore {
    private static let mostTries = 3
    /// Of one request: as many as a line of the log names.
    private static let recipientCounts = 1...StoreLogLine.mostRecipients

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
        guard rules.allowedSizes.contains(size) else {
            throw XFTPStoreError(
                .invalid, "chunks of \(Count.text(size, "byte")) are not accepted", answer: .size)
        }
        guard digest.count <= 255, let hour = UInt32(exactly: rules.clock() / 3600) else {
            throw XFTPStoreError(.invalid, "not a valid chunk", answer: .command(.syntax))
        }
        return try withNewNames(recipients) { names in
            let chunk = NewStoredChunk(
                id: StoredID(), key: senderKey, size: size, digest: digest, hour: hour)
            try records.create(chunk, names)
            return (chunk.id.entity, names.map(\.id.entity))
        }
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
        let id = try Self.known(sender)
        return try withNewNames(keys) { names in
            try records.addRecipients(names, to: id)
            return names.map(\.id.entity)
        }
    }

    /// Forgets a recipient (`FACK`). The chunk stays for the others.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `FILE_IO`.
    package func acknowledge(_ recipient: EntityID) throws {
        let id = try Self.known(recipient)
        try calling { try records.acknowledge(id) }
    }

    /// Looks for the chunk of a recipient, for the operator; a blocked one is found too.
    /// - Throws: ``XFTPStoreError``: `notFound`.
    package func find(recipient: EntityID) throws {
        let id = try Self.known(recipient)
        guard try calling({ try records.chunk(ofRecipient: id) }) != nil else {
            throw XFTPStoreError.unknownName
        }
    }

    /// Makes names for recipients, others where some are taken.
    private func withNewNames<Result>(
        _ keys: [PublicKey], _ body: ([NewStoredRecipient]) throws -> Result
    ) throws -> Result {
        guard Self.recipientCounts.contains(keys.count) else {
            throw XFTPStoreError(
                .invalid, "the number of recipients must be from 1 to 255", answer: .command(.syntax))
        }
        for _ in 0..<Self.mostTries {
            do throws(XFTPStoreError) {
                return try calling {
                    try body(keys.map { NewStoredRecipient(id: StoredID(), key: $0) })
                }
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
        }
        throw XFTPStoreError(.failed, "cannot find an unused ID. Nothing was changed.")
    }
}
