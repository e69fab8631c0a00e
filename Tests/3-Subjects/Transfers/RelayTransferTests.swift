import FaultInjection
import Logging
import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay
import ValiseTLS
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

@Suite(.serialized) struct RelayTransferTests {
    private func transfers(_ bench: TransferBench, _ network: any TestRelays) -> FileTransfers {
        FileTransfers(relays: network.relays, states: bench.states, settings: TransferBench.settings())
    }

    @Test(
        "Files of several sizes go through a relay and back, and are deleted there", arguments: RelayKind.all)
    func sizes(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            for size in [0, 1, 65_500, 300_000, 5 << 20] + (Soak.isOn ? [100 << 20] : []) {
                let content = TransferBench.bytes(size)
                let sent = try await transfers.uploadStandaloneFile(
                    bench.file(content), .to(network.accesses) { $0.recipients = 2 })
                for recipient in 0..<2 {
                    let file = try await transfers.downloadStandaloneFile(
                        sent.references(recipient), to: .folder(bench.inbox), .all { $0.acknowledge = true })
                    #expect(try bench.holds(file.path, content))
                }
                // Acknowledged: the relay does not know this recipient any more.
                let error = await #expect(throws: FileTransferError.self) {
                    try await transfers.downloadStandaloneFile(
                        sent.references(0), to: .folder(bench.inbox), .all())
                }
                #expect(error?.kind == .expired)
                for description in sent.senderDescriptions {
                    let report = try await transfers.deleteStandaloneFile(description)
                    #expect(report.deletedCount == description.chunks.count)
                    #expect(
                        try await transfers.deleteStandaloneFile(description).goneCount == report.deletedCount
                    )
                }
                try await transfers.forgetUpload(sent.id)
            }
            #expect(try network.contents == 0)
        }
    }

    /// More than one window of the relay's, with more chunks at a time than it has handlers.
    @Test("A large file goes through and back with eight chunks at a time", arguments: RelayKind.all)
    func large(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            var settings = TransferBench.settings()
            settings.parallelChunks = 8
            let transfers = FileTransfers(relays: network.relays, states: bench.states, settings: settings)
            let content = TransferBench.bytes(60 << 20)
            let sent = try await transfers.uploadStandaloneFile(bench.file(content), .to(network.accesses))
            let file = try await transfers.downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content))
        }
    }

    @Test("Three hundred recipients are registered, and the last one receives", arguments: RelayKind.all)
    func recipients(kind: RelayKind) async throws {
        try await kind.with { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            let sent = try await transfers.uploadStandaloneFile(
                bench.file([1, 2, 3]), .to(network.accesses) { $0.recipients = 300 })
            for recipient in [0, 199, 200, 299] {
                let file = try await transfers.downloadStandaloneFile(
                    sent.references(recipient), to: .folder(bench.inbox), .all())
                #expect(try bench.contents(file.path) == [1, 2, 3])
            }
        }
    }

    @Test("With one of three relays stopped, the other two take all chunks", arguments: RelayKind.all)
    func oneDown(kind: RelayKind) async throws {
        try await kind.with(3) { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            await network.stop(1)
            let content = TransferBench.bytes(6 << 20)
            let sent = try await transfers.uploadStandaloneFile(bench.file(content), .to(network.accesses))
            let used = Set(sent.parts[0].sender.relays)
            #expect(used == Set([network.accesses[0].address, network.accesses[2].address]))
            let file = try await transfers.downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content))
        }
    }

    @Test(
        "A wrong fingerprint is not a relay: the next one is used, and alone it fails",
        arguments: RelayKind.all)
    func fingerprint(kind: RelayKind) async throws {
        try await kind.with(2) { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            var wrong = network.accesses[0]
            wrong.address.fingerprint[0] ^= 1
            let sent = try await transfers.uploadStandaloneFile(
                bench.file([1]), .to([wrong, network.accesses[1]]))
            #expect(sent.parts[0].sender.relays == [network.accesses[1].address])
            let error = await #expect(throws: FileTransferError.self) {
                try await transfers.uploadStandaloneFile(bench.file([2], "other"), .to([wrong]))
            }
            #expect(error?.kind == .relays)
        }
    }

    @Test(
        "A password is needed where the relay has one, and a full relay is passed over",
        arguments: RelayKind.all)
    func passwordAndQuota(kind: RelayKind) async throws {
        try await kind.with(2, password: "secret", quota: 200_000) { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            let source = try bench.file(TransferBench.bytes(300_000))
            await #expect(throws: FileTransferError.self) {
                try await transfers.uploadStandaloneFile(source, .to(network.accesses))
            }
            let accesses = network.accesses.map { RelayAccess($0.address, password: RelayPassword("secret")) }
            // 320 KiB do not fit into 200,000 bytes each: a chunk of 256 KiB finds no place.
            let error = await #expect(throws: FileTransferError.self) {
                try await transfers.uploadStandaloneFile(source, .to(accesses))
            }
            #expect(error?.kind == .relays)
            let small = try bench.file(TransferBench.bytes(150_000), "small.bin")
            _ = try await transfers.uploadStandaloneFile(small, .to(accesses))
        }
    }

    /// - Parameter one: whether a connection may have one transfer at a time; else two.
    @Test(
        "Relays with room for few transfers get all chunks, and none of them is left out",
        arguments: [true, false])
    func busy(one: Bool) async throws {
        var limits = RelayLimits()
        limits.transfersPerConnection = one ? 1 : 2
        try await OwnRelays.with(2, limits: limits) { network in
            let bench = try TransferBench()
            var settings = TransferBench.settings()
            settings.parallelChunks = 8
            let transfers = FileTransfers(relays: network.relays, states: bench.states, settings: settings)
            let content = TransferBench.bytes(40 << 20)
            let log = EventLog()
            let sent = try await transfers.uploadStandaloneFile(
                bench.file(content), .to(network.accesses) { $0.redirect = .never }, report: log.report)
            let file = try await transfers.downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all(), report: log.report)
            #expect(try bench.holds(file.path, content))
            #expect(log.troubles.isEmpty, "\(log.troubles)")
            let used = sent.parts[0].sender.chunks.map { $0.replicas[0].server }
            for access in network.accesses { #expect(used.count { $0 == access.address } >= used.count / 2) }
        }
    }

    @Test("Twenty recipients all receive, and the relay forgets each of them")
    func allRecipients() async throws {
        try await OwnRelays.with { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            let content = TransferBench.bytes(150_000)
            let sent = try await transfers.uploadStandaloneFile(
                bench.file(content), .to(network.accesses) { $0.recipients = 20 })
            // In a folder of his own: to one folder a file is received once at a time, whoever it was sent to.
            let inboxes = (0..<20).map { bench.inbox.appending("\($0)") }
            for inbox in inboxes { try FileSystem().makeDirectory(inbox) }
            let paths = try await withThrowingTaskGroup(of: FilePath.self) { group in
                for (recipient, inbox) in inboxes.enumerated() {
                    group.addTask {
                        try await transfers.downloadStandaloneFile(
                            sent.references(recipient), to: .folder(inbox),
                            .all { $0.acknowledge = true }
                        ).path
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(paths.count == 20)
            for path in paths { #expect(try bench.holds(path, content), "\(path)") }
            let names = sent.parts[0].recipients.flatMap(\.chunks).flatMap(\.replicas).map(\.id)
            #expect(names.count >= 20)
            #expect(try names.allSatisfy { try network.stores[0].recipient($0) == nil })
        }
    }

    @Test("A file of which one chunk is blocked is not received, says so, and is not kept")
    func blocked() async throws {
        try await OwnRelays.with { network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            let sent = try await transfers.uploadStandaloneFile(
                bench.file(TransferBench.bytes(5 << 20)), .to(network.accesses) { $0.redirect = .never })
            let last = try #require(sent.parts[0].recipients[0].chunks.last?.replicas.first)
            try network.stores[0].block(last.id, BlockingInfo(.content))
            let error = await #expect(throws: FileTransferError.self) {
                try await transfers.downloadStandaloneFile(
                    sent.references(), to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .blocked(BlockingInfo(.content)) && error?.code == .gone)
            #expect(try bench.received.isEmpty)
        }
    }

    @Test("What expired on its relay is said to be gone")
    func expiry() async throws {
        let offset = Mutex<Int64>(0)
        try await OwnRelays.with(at: { UTCTime.clock() + offset.withLock { $0 } }) {
            network in
            let bench = try TransferBench()
            let transfers = transfers(bench, network)
            let sent = try await transfers.uploadStandaloneFile(bench.file([1]), .to(network.accesses))
            offset.withLock { $0 = 50 * 3600 }
            _ = try network.stores[0].expire()
            let error = await #expect(throws: FileTransferError.self) {
                try await transfers.downloadStandaloneFile(
                    sent.references(), to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .expired && error?.code == .gone)
        }
    }

    @Test(
        "Stopped over and over at random moments, a file arrives, and no chunk of it is on the relays twice",
        .timeLimit(.minutes(2)), arguments: RelayKind.all)
    func stoppedOften(kind: RelayKind) async throws {
        try await kind.with(2) { network in
            let bench = try TransferBench()
            print("seed \(bench.seed)")
            var generator = SeededGenerator(seed: bench.seed)
            let transfers = transfers(bench, network)
            let content = TransferBench.bytes(20 << 20)
            let source = try bench.file(content)
            let options = UploadOptions.to(network.accesses) { $0.redirect = .never }
            let sent = try await stoppingOften(&generator) { report in
                try await transfers.uploadStandaloneFile(source, options, report: report)
            }
            let (references, inbox) = (try sent.references(), bench.inbox)
            let file = try await stoppingOften(&generator) { report in
                try await transfers.downloadStandaloneFile(
                    references, to: .folder(inbox), .all(), report: report)
            }
            #expect(try bench.holds(file.path, content))
            #expect(try bench.received.count == 1)
            let chunks = sent.parts[0].sender.chunks.count
            #expect(try network.contents == chunks)
        }
    }

    /// Cancels a transfer some milliseconds after its beginning, at first forty times almost at once and then later and
    /// later, until it is faster.
    private func stoppingOften<Result: Sendable>(
        _ generator: inout SeededGenerator,
        _ transfer: @escaping @Sendable (@escaping EventHandler) async throws -> Result
    ) async throws -> Result {
        var stops = 0
        while true {
            let most = 20 + 20 * max(0, stops - 40)
            let pause = Duration.milliseconds(Int.random(in: 5...most, using: &generator))
            let task = Task { try await transfer { _ in } }
            let stop = Task {
                try await Task.sleep(for: pause)
                task.cancel()
            }
            do {
                let result = try await task.value
                stop.cancel()
                return result
            } catch let error as FileTransferError where error.kind == .cancelled {
                stops += 1
            }
        }
    }
}
