package import ValiseSecrets
package import ValiseXFTPWire

/// What whole-file transfers need of relays, one chunk at a time.
///
/// ``RelayNetwork`` does it over the network; tests do it in memory.
package protocol ChunkRelays: Sendable {
    /// Registers a chunk.
    ///
    /// - Parameters:
    ///   - chunk: without a password; `relay` has it.
    ///   - key: signs, and belongs to the chunk's sender key.
    ///   - relay: which one is asked.
    /// - Returns: the names of the chunk, those of recipients in the order of their keys.
    func create(
        _ chunk: NewChunk, key: SecretSeed, on relay: RelayAccess
    ) async throws -> (sender: EntityID, recipients: [EntityID])

    /// Registers further recipients of a chunk.
    func addRecipients(
        _ keys: [PublicKey], to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws -> [EntityID]

    /// Sends the bytes of a chunk. A relay that has them already says so by accepting them.
    func upload(
        _ chunk: ChunkMemory, to sender: EntityID, key: SecretSeed, at relay: XFTPAddress
    ) async throws

    /// Receives the bytes of a chunk.
    ///
    /// - Parameters:
    ///   - recipient: by which the recipient knows the chunk.
    ///   - key: of the recipient.
    ///   - digest: SHA-256 of the chunk; other bytes are a failure.
    ///   - chunk: has the size that is expected; another one is a failure.
    ///   - relay: which one is asked.
    func download(
        _ recipient: EntityID, key: SecretSeed, digest: [UInt8], into chunk: ChunkMemory,
        from relay: XFTPAddress
    ) async throws

    /// Tells a relay that one recipient is done.
    func acknowledge(_ recipient: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws

    /// Removes a chunk with all its names.
    func delete(_ sender: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws

    /// What a failure of the others means for a transfer.
    func trouble(_ error: any Error) -> RelayProblem
}

/// What a failure at a relay means for a transfer.
package enum RelayProblem: Sendable, Equatable {
    /// Worth another try at the same relay.
    case temporary
    /// Nothing listens there, and nothing has since the transfers began: worth a try or two.
    case absent
    /// The relay answered, and refuses.
    case refused(XFTPErrorCode)
    /// This relay is of no use, such as one that is not who its address says; another one may be.
    case unusable
    /// Not of the relay at all: the transfer ends.
    case fatal
}
