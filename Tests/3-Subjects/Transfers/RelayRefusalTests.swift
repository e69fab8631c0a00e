import Testing
import ValiseCryptography
import ValiseFailures
import ValiseRelay
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// What a relay of our own refuses, as our own client and the commands say it.
@Suite(.serialized) struct RelayRefusalTests {
    private func transfers(_ bench: TransferBench, _ network: any TestRelays) -> FileTransfers {
        FileTransfers(relays: network.relays, states: bench.states, settings: TransferBench.settings())
    }

    /// A file of several chunks that is there.
    private func send(_ bench: TransferBench, _ network: any TestRelays) async throws -> UploadedFile {
        try await transfers(bench, network).uploadStandaloneFile(
            bench.file(TransferBench.bytes(300_000)), .to(network.accesses) { $0.redirect = .never })
    }

    private func receive(
        _ description: FileDescription, _ bench: TransferBench, _ network: any TestRelays
    ) async -> FileTransferError? {
        await #expect(throws: FileTransferError.self) {
            try await transfers(bench, network).downloadStandaloneFile(
                [FileReference(description)], to: .folder(bench.inbox), .all())
        }
    }

    private func arrives(_ file: UploadedFile, _ bench: TransferBench, _ network: any TestRelays) async throws
        -> Bool
    {
        let received = try await transfers(bench, network).downloadStandaloneFile(
            file.references(), to: .folder(bench.inbox), .all())
        return try bench.holds(received.path, TransferBench.bytes(300_000))
    }

    // MARK: Blocked

    @Test("A blocked file is said to be blocked, and why", arguments: BlockingReason.allCases)
    func blocked(reason: BlockingReason) async throws {
        try await OwnRelays.with { network in
            let bench = try TransferBench()
            let sent = try await send(bench, network)
            let description = sent.parts[0].recipients[0]
            let info = BlockingInfo(reason)
            for chunk in description.chunks { try network.stores[0].block(chunk.replicas[0].id, info) }

            let error = await receive(description, bench, network)
            #expect(error?.kind == .blocked(info) && error?.code == .gone)
            #expect(error?.message.contains(reason.rawValue) == true)
            #expect((error?.cause as? XFTPClientError)?.kind == .refused(.blocked(info)))

            // Its sender cannot delete it either.
            let report = try await transfers(bench, network).deleteStandaloneFile(sent.parts[0].sender)
            #expect(report.failedCount == description.chunks.count)
            for chunk in report.chunks {
                guard case .failed(let error as XFTPClientError) = chunk.outcome else {
                    Issue.record("not refused: \(chunk)")
                    continue
                }
                #expect(error.kind == .refused(.blocked(info)) && error.message.contains("operator"))
            }
        }
    }

    // MARK: Certificates

    @Test("A relay whose certificate has expired gets nothing and is asked for nothing")
    func expiredCertificate() async throws {
        try await OwnRelays.with(days: 9) { network in
            let bench = try TransferBench()
            let error = await #expect(throws: FileTransferError.self) { try await send(bench, network) }
            #expect(error?.kind == .relays && error?.code == .denied)
            let cause = error?.cause as? XFTPClientError
            #expect(
                cause?.kind == .untrusted && cause?.message.contains("expired") == true, "\(error as Any)")
            #expect(try network.stores[0].usage.chunks == 0)
        }
    }

    @Test("A certificate that is valid today is taken")
    func validCertificate() async throws {
        try await OwnRelays.with(days: 11) { network in
            let bench = try TransferBench()
            #expect(try await arrives(send(bench, network), bench, network))
        }
    }

    // MARK: Keys

    @Test(
        "Another recipient's key does not open a chunk, and that looks as if it had expired",
        arguments: RelayKind.all)
    func recipientKey(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            let sent = try await send(bench, network)
            var description = sent.parts[0].recipients[0]
            for index in description.chunks.indices {
                description.chunks[index].replicas[0].key = try SecretSeed()
            }
            let error = await receive(description, bench, network)
            #expect(error?.kind == .expired && error?.code == .gone)
            #expect((error?.cause as? XFTPClientError)?.kind == .refused(.auth))
            #expect(try await arrives(sent, bench, network))
        }
    }

    @Test("Another sender's key deletes nothing", arguments: RelayKind.all)
    func senderKey(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            let sent = try await send(bench, network)
            var description = sent.parts[0].sender
            for index in description.chunks.indices {
                description.chunks[index].replicas[0].key = try SecretSeed()
            }
            let report = try await transfers(bench, network).deleteStandaloneFile(description)
            #expect(report.goneCount == description.chunks.count && report.deletedCount == 0)
            #expect(try await arrives(sent, bench, network))
        }
    }

    @Test("Nobody uploads, or adds recipients, with another sender's key", arguments: RelayKind.all)
    func uploadKey(kind: RelayKind) async throws {
        try await kind.with { network in
            let chunk = try await Registered(network)
            let wrong = try SecretSeed()
            let upload = await #expect(throws: XFTPClientError.self) {
                try await network.relays.upload(
                    chunk.memory, to: chunk.sender, key: wrong, at: network.accesses[0].address)
            }
            #expect(upload?.kind == .refused(.auth) && upload?.code == .gone)
            let adding = await #expect(throws: XFTPClientError.self) {
                _ = try await network.relays.addRecipients(
                    [Registered.publicKey(wrong)], to: chunk.sender, key: wrong,
                    at: network.accesses[0].address)
            }
            #expect(adding?.kind == .refused(.auth))
            try await chunk.upload(network)
        }
    }

    // MARK: Digests

    @Test(
        "Other bytes than were announced are not kept, and the right ones are taken afterwards",
        arguments: RelayKind.all)
    func digest(kind: RelayKind) async throws {
        try await kind.with { network in
            let chunk = try await Registered(network)
            chunk.memory.bytes[70_000] ^= 1
            let error = await #expect(throws: XFTPClientError.self) { try await chunk.upload(network) }
            #expect(error?.kind == .refused(.digest) && error?.code == .damaged)
            #expect(error?.isTemporary == false && error?.message.contains("discarded it") == true)
            #expect(network.relays.trouble(try #require(error)) == .refused(.digest))
            #expect(try network.contents == 0)
            let missing = await #expect(throws: XFTPClientError.self) { try await chunk.download(network) }
            #expect(missing?.kind == .refused(.noFile) && missing?.code == .gone)

            chunk.memory.bytes[70_000] ^= 1
            try await chunk.upload(network)
            try await chunk.download(network)
        }
    }

    @Test("A recipient who expects other bytes is told that the chunk is damaged", arguments: RelayKind.all)
    func expectedDigest(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            var description = try await send(bench, network).parts[0].recipients[0]
            description.chunks[0].digest[31] ^= 1
            let error = await receive(description, bench, network)
            #expect(error?.kind == .relays && error?.code == .damaged)
            #expect((error?.cause as? XFTPClientError)?.kind == .damagedChunk)
        }
    }
}

/// A chunk that a relay knows and does not have.
private struct Registered {
    let memory = ChunkMemory()
    let key: SecretSeed
    let recipientKey: SecretSeed
    let sender: EntityID
    let recipient: EntityID
    let digest: [UInt8]

    init(_ network: any TestRelays) async throws {
        let content = TransferBench.bytes(262_144)
        memory.resize(to: content.count)
        memory.bytes.copyBytes(from: content)
        digest = SHA256.hash(content)
        key = try SecretSeed()
        recipientKey = try SecretSeed()
        let names = try await network.relays.create(
            NewChunk(
                senderKey: Self.publicKey(key), size: UInt32(content.count), digest: digest,
                recipientKeys: [Self.publicKey(recipientKey)]), key: key, on: network.accesses[0])
        sender = names.sender
        recipient = names.recipients[0]
    }

    static func publicKey(_ seed: SecretSeed) -> PublicKey {
        PublicKey(.ed25519, Ed25519.publicKey(of: seed))
    }

    func upload(_ network: any TestRelays) async throws {
        try await network.relays.upload(memory, to: sender, key: key, at: network.accesses[0].address)
    }

    /// - Throws: where it is not what was announced.
    func download(_ network: any TestRelays) async throws {
        let received = ChunkMemory()
        received.resize(to: memory.count)
        try await network.relays.download(
            recipient, key: recipientKey, digest: digest, into: received, from: network.accesses[0].address)
    }
}
