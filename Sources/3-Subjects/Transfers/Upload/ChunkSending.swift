import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Brings single chunks to relays, whatever it takes: other relays, other tries.
struct ChunkSending: Sendable {
    let relays: any ChunkRelays
    let rotation: RelayRotation
    let journal: UploadJournal
    let settings: TransferSettings
    let report: EventHandler

    /// In one request; as the official clients have it.
    private static let mostKeys = 200
    /// So often in a row the relay that knows a chunk may fail before another one gets it.
    private static let patience = 3

    /// One chunk on its way.
    private struct Sending {
        let place: ChunkPlace
        let memory: ChunkMemory
        let digest: [UInt8]
        let recipients: Int
        /// Relays that failed for this chunk.
        var troubled: [XFTPAddress] = []
    }

    /// Sends a chunk, from wherever its journal says it is.
    /// - Throws: ``FileTransferError``; errors of the journal; `CancellationError`.
    func send(_ place: ChunkPlace, _ memory: ChunkMemory, digest: [UInt8], recipients: Int) async throws {
        var sending = Sending(place: place, memory: memory, digest: digest, recipients: recipients)
        var retries = TransferRetries(settings.retries)
        var attempt = 1
        while true {
            do {
                return try await attemptOnce(&sending)
            } catch {
                try Task.checkCancellation()
                guard let trouble = try await troubleWorthAnotherTry(&sending, error),
                    let pause = retries.pause(after: trouble)
                else { throw failure(error) }
                attempt += 1
                report(.note(TransferNote.retry(chunk: place.chunk + 1, attempt: attempt, after: pause)))
                try await settings.sleep(pause)
            }
        }
    }

    private func attemptOnce(_ sending: inout Sending) async throws {
        try Task.checkCancellation()
        if journal.chunk(sending.place) == nil { try await register(&sending) }
        while let chunk = journal.chunk(sending.place), chunk.recipients.count < sending.recipients {
            try await addRecipients(chunk, sending)
        }
        guard let chunk = journal.chunk(sending.place) else { return }
        try await relays.upload(sending.memory, to: chunk.sender, key: chunk.key, at: chunk.relay)
        try await record(.stored(sending.place), durable: false)
        if rotation.succeeded(chunk.relay) { report(.note(TransferNote.connected(chunk.relay))) }
    }

    /// Not flushed where losing it only means to send the chunk again, which relays take as done.
    private func record(_ record: UploadRecord, durable: Bool = true) async throws {
        try await BlockingExecutor.shared.run { [journal] in try journal.append(record, durable: durable) }
    }

    // MARK: Registering

    /// Registers the chunk at the first relay that takes it. Its digest is durable before its content is sent.
    private func register(_ sending: inout Sending) async throws {
        var worst: (any Error)?
        for relay in rotation.order(avoiding: sending.troubled) {
            do {
                let chunk = try await create(sending, on: relay)
                return try await record(.created(sending.place, chunk))
            } catch {
                try Task.checkCancellation()
                guard relays.trouble(error) != .fatal else { throw error }
                note(error, at: relay.address)
                sending.troubled.append(relay.address)
                // One that may come back decides whether there is another round.
                if worst.map({ relays.trouble($0).givesWay(to: relays.trouble(error)) }) ?? true {
                    worst = error
                }
            }
        }
        throw worst ?? noRelayLeft
    }

    private func create(_ sending: Sending, on relay: RelayAccess) async throws -> SentChunk {
        let key = try SecretSeed()
        let seeds = try Self.seeds(min(sending.recipients, Self.mostKeys))
        let chunk = NewChunk(
            senderKey: Self.publicKey(key), size: UInt32(sending.memory.count), digest: sending.digest,
            recipientKeys: seeds.map(Self.publicKey))
        let ids = try await relays.create(chunk, key: key, on: relay)
        return SentChunk(
            relay: relay.address, size: Int64(sending.memory.count), digest: sending.digest,
            sender: ids.sender, key: key, recipients: try Self.joined(ids.recipients, seeds))
    }

    private func addRecipients(_ chunk: SentChunk, _ sending: Sending) async throws {
        let seeds = try Self.seeds(min(sending.recipients - chunk.recipients.count, Self.mostKeys))
        let ids = try await relays.addRecipients(
            seeds.map(Self.publicKey), to: chunk.sender, key: chunk.key, at: chunk.relay)
        try await record(.recipients(sending.place, Self.joined(ids, seeds)))
    }

    private static func seeds(_ count: Int) throws -> [SecretSeed] {
        try (0..<count).map { _ in try SecretSeed() }
    }

    private static func publicKey(_ seed: SecretSeed) -> PublicKey {
        PublicKey(.ed25519, Ed25519.publicKey(of: seed))
    }

    private static func joined(_ ids: [EntityID], _ seeds: [SecretSeed]) throws -> [SentChunk.Recipient] {
        guard ids.count == seeds.count else {
            throw FileTransferError.damaged(
                "a relay registered \(Count.text(ids.count, "recipient")) of a chunk instead of "
                    + "\(seeds.count)",
                remedy: .useAnotherRelay)
        }
        return zip(ids, seeds).map { SentChunk.Recipient(id: $0, key: $1) }
    }

    // MARK: Failing

    /// Leaves the relay that knows the chunk where it is of no use, so that the next try goes to another one.
    /// - Returns: what the next try has to wait for; nil where there is no use in one.
    private func troubleWorthAnotherTry(
        _ sending: inout Sending, _ error: any Error
    ) async throws -> RelayProblem? {
        let trouble = relays.trouble(error)
        // No relay took it: of all their answers, this is the best.
        guard let chunk = journal.chunk(sending.place) else { return trouble }
        guard trouble != .fatal else { return nil }
        note(error, at: chunk.relay)
        sending.troubled.append(chunk.relay)
        let hasOther = rotation.hasOther(than: chunk.relay)
        let isLost: Bool
        switch trouble {
        case .temporary, .absent:
            let inARow = sending.troubled.reversed().prefix { $0 == chunk.relay }.count
            isLost = hasOther && inARow >= Self.patience
        // A relay that does not know the chunk any more can be told of it again.
        case .refused(.auth): isLost = true
        case .refused, .unusable, .fatal: isLost = hasOther
        }
        if isLost { try await record(.abandoned(sending.place)) }
        return isLost ? .temporary : trouble
    }

    private func note(_ error: any Error, at relay: XFTPAddress) {
        report(.note(TransferNote.troubled(relay, error)))
        rotation.failed(relay, error)
        if relays.trouble(error) == .refused(.quota) { rotation.isFull(relay) }
    }

    private var noRelayLeft: FileTransferError {
        FileTransferError(
            .relays, .noSpace,
            "no relay has space for the file. Sent chunks are kept for some hours.",
            remedy: .useAnotherRelay)
    }

    private func failure(_ error: any Error) -> any Error {
        guard relays.trouble(error) != .fatal else { return error }
        return FileTransferError(
            .relays, (error as? any Failure)?.code ?? .failed,
            "no relay accepts the file. Sent chunks are kept for some hours.",
            cause: error, remedy: .sendFileAgain)
    }
}
