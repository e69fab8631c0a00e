import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseRelay
import ValiseTransfers
import ValiseXFTPWire

/// Contents that change or cannot be read, and what becomes of their uploads.
@Suite struct ContentChangeTests {
    // MARK: Changes and failures

    @Test("A content that is not what it was is not sent, and what was sent of it is removed")
    func changedBefore() async throws {
        let bench = try TransferBench()
        let source = VersionedContent(ContentBench.bytes)
        source.change()
        let relays = FakeRelays()
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).upload(source.content(), ContentBench.options)
        }
        #expect(error?.kind == .sourceChanged && error?.cause is VersionedContent.Changed)
        #expect(relays.operations == 0 && source.reads == 0)
        #expect(try bench.journals.isEmpty)
        let first = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
        let second = FakeRelays(after: first)
        await #expect(throws: FileTransferError.self) {
            try await bench.transfers(second).upload(source.content(), ContentBench.options)
        }
        #expect(second.chunks.isEmpty && second.count(.create) == 0)
        #expect(try bench.journals.isEmpty)
    }

    @Test("A content that changes while it is sent fails, and nothing of it stays", arguments: [false, true])
    func changedMeanwhile(isUnreadableThen: Bool) async throws {
        let bench = try TransferBench()
        let source = VersionedContent(ContentBench.bytes)
        let relays = FakeRelays(before: { _, _, number in
            guard number == 1 else { return }
            source.change()
            if isUnreadableThen { source.fail(at: 0) }
        })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays) { $0.parallelChunks = 1 }
                .upload(source.content(), ContentBench.options)
        }
        #expect(error?.kind == .sourceChanged && error?.cause is VersionedContent.Changed)
        #expect(relays.count(.create) > 0 && relays.chunks.isEmpty)
        #expect(try bench.journals.isEmpty)
    }

    @Test("Any other error of a content is its own, and a later run goes on")
    func unreadable() async throws {
        let bench = try TransferBench()
        let source = VersionedContent(ContentBench.bytes)
        source.fail(at: 600_000)
        let first = FakeRelays()
        await #expect(throws: VersionedContent.Unreadable.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }
                .upload(source.content(), ContentBench.options)
        }
        #expect(!first.stored.isEmpty)
        source.fail(at: nil)
        let second = FakeRelays(after: first)
        let log = EventLog()
        let sent = try await bench.transfers(second).upload(
            source.content(), ContentBench.options, report: log.report)
        #expect(log.resumed == [first.stored.count] && log.restarts.isEmpty)
        #expect(second.chunks.allSatisfy { $0.arrivals == 1 })
        try await ContentBench.arrives(sent, second, bench, ContentBench.bytes)
    }

    @Test("A content that cannot be looked at for a moment is no other one: what was sent of it stays")
    func notLookedAt() async throws {
        let bench = try TransferBench()
        let source = VersionedContent(ContentBench.bytes)
        let looks = Atomic(0)
        let blind = UploadContent(
            id: source.content().id, name: source.content().name, source: source,
            version: source.content().version,
            checkUnchanged: {
                guard looks.add(1, ordering: .relaxed).newValue > 1 else { return }
                throw FileError(.failed, "the system does not let us look", "/account")
            })
        let first = FakeRelays()
        await #expect(throws: FileError.self) {
            try await bench.transfers(first).upload(blind, ContentBench.options)
        }
        #expect(!first.stored.isEmpty)
        let second = FakeRelays(after: first)
        let log = EventLog()
        let sent = try await bench.transfers(second).upload(
            source.content(), ContentBench.options, report: log.report)
        #expect(log.restarts.isEmpty)
        #expect(second.chunks.allSatisfy { $0.arrivals == 1 })
        try await ContentBench.arrives(sent, second, bench, ContentBench.bytes)
    }

    @Test("Other bytes of the same version are noticed by the digests of chunks, and sent under a new key")
    func changedSecretly() async throws {
        let bench = try TransferBench()
        let first = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
        var other = ContentBench.bytes
        other[10] ^= 1
        let second = FakeRelays(after: first)
        let log = EventLog()
        let sent = try await bench.transfers(second).upload(
            VersionedContent(other).content(), ContentBench.options, report: log.report)
        #expect(log.restarts == [.sourceChanged])
        #expect(second.chunks.count == ContentBench.reachable(sent))
        try await ContentBench.arrives(sent, second, bench, other)
    }

    @Test("An upload without an id, or without a whole version, is refused before anything is sent")
    func refused() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let source = VersionedContent(ContentBench.bytes)
        for (id, count) in [("", 32), ("a", 31), ("a", 33)] {
            let content = UploadContent(
                id: id, name: "a", source: source, version: Array(repeating: 0, count: count),
                checkUnchanged: source.check)
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).upload(content, ContentBench.options)
            }
            #expect(error?.code == .invalid)
        }
        #expect(relays.operations == 0)
        #expect(try bench.journals.isEmpty)
    }

    // MARK: Managing

    @Test("While another run sends a content, no second upload of it begins, and it is known to run")
    func alreadySending() async throws {
        let bench = try TransferBench()
        let first = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
        let id = try #require(try bench.journals.first)
        let other = try FileSystem().openForUpdating(bench.states.appending(id).appending("journal"))
        #expect(try other.lockRange(.exclusive, start: 0, length: 1))
        let transfers = bench.transfers(FakeRelays(after: first))
        let error = await #expect(throws: FileTransferError.self) {
            try await transfers.upload(VersionedContent(ContentBench.bytes).content(), ContentBench.options)
        }
        #expect(error?.kind == .alreadySending)
        #expect(try await transfers.uploads(ofContent: "move:1:1").map(\.isRunning) == [true])
        #expect(try await transfers.interruptedUploads().isEmpty)
        try other.close()
        _ = try await transfers.upload(VersionedContent(ContentBench.bytes).content(), ContentBench.options)
    }

    @Test("Uploads of contents are not among those of files")
    func listing() async throws {
        let bench = try TransferBench()
        let first = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
        let transfers = bench.transfers(FakeRelays(after: first))
        #expect(try await transfers.interruptedUploads().isEmpty)
        let upload = try #require(try await transfers.uploads(ofContent: "move:1:1").first)
        #expect(upload.path == "account.zip" && upload.size == 700_000 && !upload.isComplete)
        #expect(upload.storedChunks == first.stored.count && !upload.isRunning && !upload.isDamaged)
        #expect(
            try await transfers.upload(VersionedContent(ContentBench.bytes).content(), ContentBench.options)
                .id == upload.id)
    }

    @Test(
        "Discarded, a content and the descriptions behind its links are gone from the relay and the disk",
        arguments: RelayKind.all)
    func discarded(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            let transfers = FileTransfers(
                relays: network.relays, states: bench.states, settings: TransferBench.settings())
            let sent = try await transfers.upload(
                VersionedContent(ContentBench.bytes).content(),
                .to(network.accesses) {
                    $0.redirect = .always
                    $0.recipients = 2
                })
            #expect(try network.contents == ContentBench.reachable(sent))
            let file = try await transfers.downloadStandaloneFile(
                sent.references(1), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, ContentBench.bytes))
            let log = EventLog()
            try await transfers.discardUpload(sent.id, report: log.report)
            #expect(log.warnings.isEmpty)
            #expect(try network.contents == 0)
            #expect(try bench.journals.isEmpty)
            #expect(try await transfers.uploads(ofContent: "move:1:1").isEmpty)
        }
    }
}
