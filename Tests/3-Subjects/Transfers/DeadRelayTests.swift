import Synchronization
import SystemPackage
import Testing
import ValiseFiles
import ValiseRelay
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// Relays that do not answer any more, when there is little left to ask of them.
@Suite struct DeadRelayTests {
    private let places = [TransferBench.relay(1), TransferBench.relay(2)]

    @Test("A dead relay is asked twice to delete, not for each chunk; the chunks of the others are deleted")
    func deletion() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(1_700_000)), .to(places) { $0.redirect = .never })
        let description = try #require(sent.senderDescriptions.first)
        let dead = places[0].address
        let count = description.chunks.count { $0.replicas[0].server == dead }
        try #require(count > 0)
        let asked = Counter()
        let others = FakeRelays(after: relays) { operation, relay, _ in
            guard relay == dead else { return }
            asked.add()
            throw FakeRelays.Failure.temporary
        }
        let report = try await bench.transfers(others) { $0.parallelChunks = 1 }
            .deleteStandaloneFile(description)
        #expect(asked.count == 2)
        #expect(report.failedCount == count)
        #expect(report.deletedCount == description.chunks.count - count)
    }

    /// Keeps the pauses between tries instead of waiting for them.
    private final class Pauses: Sendable {
        private let all = Mutex<[Duration]>([])

        var sum: Duration { all.withLock { $0.reduce(.zero, +) } }

        var settings: TransferSettings {
            var settings = TransferSettings()
            settings.sleep = { pause in self.all.withLock { $0.append(pause) } }
            return settings
        }
    }

    @Test("Where nothing listens, a relay is dead within five seconds; one that was up is waited for")
    func connectionRefused() async throws {
        try await OwnRelays.with { network in
            let bench = try TransferBench()
            func transfers(_ relays: RelayNetwork, _ pauses: Pauses) -> FileTransfers {
                FileTransfers(relays: relays, states: bench.states, settings: pauses.settings)
            }
            let sent = try await transfers(network.relays, Pauses()).uploadStandaloneFile(
                bench.file([1]), .to(network.accesses))
            await network.servers[0].stop()

            let (others, up, down) = (RelayNetwork(), Pauses(), Pauses())
            let unsent = await #expect(throws: FileTransferError.self) {
                try await transfers(others, up).uploadStandaloneFile(
                    bench.file([2], "other"), .to(network.accesses))
            }
            #expect((unsent?.cause as? XFTPClientError)?.kind == .connectionRefused)
            await #expect(throws: FileTransferError.self) {
                try await transfers(others, down).downloadStandaloneFile(
                    sent.references(), to: .folder(bench.inbox), .all())
            }
            await others.close()
            for pauses in [up, down] { #expect((.seconds(1)...(.seconds(5))).contains(pauses.sum)) }

            let known = Pauses()
            await #expect(throws: FileTransferError.self) {
                try await transfers(network.relays, known).uploadStandaloneFile(
                    bench.file([3], "third"), .to(network.accesses))
            }
            #expect(known.sum > .seconds(60))
        }
    }

    @Test("One failure is not the end of a relay")
    func once() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(1_700_000)), .to { $0.redirect = .never })
        let asked = Counter()
        let others = FakeRelays(after: relays) { _, _, _ in
            if asked.add() <= 1 { throw FakeRelays.Failure.temporary }
        }
        let report = try await bench.transfers(others).deleteStandaloneFile(sent.senderDescriptions[0])
        #expect(report.isComplete)
    }

    @Test("A relay that takes no acknowledgement holds up nobody for longer than the time that is given")
    func acknowledgement() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(700_000)), .to { $0.redirect = .never })
        var settings = TransferBench.settings()
        settings.acknowledgementTime = .milliseconds(50)
        let log = EventLog()
        let start = ContinuousClock.now
        let transfers = FileTransfers(
            relays: SilentRelays(relays: relays), states: bench.states, settings: settings)
        let file = try await transfers.downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all { $0.acknowledge = true }, report: log.report)
        #expect(try bench.holds(file.path, TransferBench.bytes(700_000)))
        #expect(log.warnings == [.notAcknowledged(chunks: sent.parts[0].sender.chunks.count)])
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("A received file is acknowledged afterwards, by whoever shows it first")
    func afterwards() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(700_000)), .to { $0.redirect = .always })
        let transfers = bench.transfers(relays)
        let file = try await transfers.downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(relays.count(.acknowledge) == 0)
        await transfers.acknowledge(file, RelayApproval(known: []))
        #expect(relays.chunks.allSatisfy { $0.recipients.isEmpty })
    }
}

/// Never answers an acknowledgment.
private struct SilentRelays: ChunkRelays {
    let relays: FakeRelays

    func create(_ chunk: NewChunk, key: SecretSeed, on relay: RelayAccess) async throws
        -> (sender: EntityID, recipients: [EntityID])
    { try await relays.create(chunk, key: key, on: relay) }

    func addRecipients(_ keys: [PublicKey], to sender: EntityID, key: SecretSeed, at relay: XFTPAddress)
        async throws -> [EntityID]
    { try await relays.addRecipients(keys, to: sender, key: key, at: relay) }

    func upload(_ chunk: ChunkMemory, to sender: EntityID, key: SecretSeed, at relay: XFTPAddress)
        async throws
    { try await relays.upload(chunk, to: sender, key: key, at: relay) }

    func download(
        _ recipient: EntityID, key: SecretSeed, digest: [UInt8], into chunk: ChunkMemory,
        from relay: XFTPAddress
    ) async throws {
        try await relays.download(recipient, key: key, digest: digest, into: chunk, from: relay)
    }

    func acknowledge(_ recipient: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try await Task.sleep(for: .seconds(1000))
    }

    func delete(_ sender: EntityID, key: SecretSeed, at relay: XFTPAddress) async throws {
        try await relays.delete(sender, key: key, at: relay)
    }

    func trouble(_ error: any Error) -> RelayProblem { relays.trouble(error) }
}
