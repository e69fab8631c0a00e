import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseMediaRules
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

@Suite struct RoundTripTests {
    /// Sends to relays in memory and receives from them by links.
    private func roundTrip(
        _ content: [UInt8], relays: FakeRelays = FakeRelays(), _ options: UploadOptions = UploadOptions.to(),
        recipients: [Int] = [0]
    ) async throws {
        let bench = try TransferBench()
        let source = try bench.file(content)
        let sent = try await bench.transfers(relays).uploadStandaloneFile(source, options)
        #expect(sent.size == Int64(content.count))
        for recipient in recipients {
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                try sent.references(recipient), to: .folder(bench.inbox), .all())
            #expect(
                try bench.holds(file.path, content), "\(content.count) bytes, recipient \(recipient)")
            #expect(file.size == Int64(content.count))
            #expect(file.name == "source.bin")
            try FileSystem().remove(file.path)
        }
        #expect(try bench.received.isEmpty)
    }

    private static let border = Array(65_436...65_564)

    static var sampledSizes: [Int] {
        let some = [0, 1, 65_436, 65_499, 65_500, 65_501, 65_536, 65_564, 300_000]
        return Soak.isOn ? some + border + [5 << 20, 100 << 20] : some
    }

    @Test("A file of any size arrives as it was", arguments: sampledSizes)
    func sizes(size: Int) async throws { try await roundTrip(TransferBench.bytes(size)) }

    @Test("Five mebibytes arrive with every chunk size in use")
    func large() async throws {
        let relays = FakeRelays()
        try await roundTrip(TransferBench.bytes(5 << 20), relays: relays)
        #expect(Set(relays.chunks.map(\.size)) == [1 << 20, 4 << 20])
    }

    @Test("Each of some recipients has links and keys of his own", arguments: [1, 2, 20])
    func recipients(count: Int) async throws {
        let relays = FakeRelays()
        try await roundTrip(
            TransferBench.bytes(100_000), relays: relays, .to { $0.recipients = count },
            recipients: Array(0..<count))
        #expect(relays.chunks.allSatisfy { $0.recipients.count == count })
    }

    @Test("Three hundred recipients take a second request for each chunk")
    func manyRecipients() async throws {
        let relays = FakeRelays()
        try await roundTrip(
            TransferBench.bytes(1000), relays: relays, .to { $0.recipients = 300 },
            recipients: [0, 199, 200, 299])
        #expect(relays.count(.addRecipients) == 1)
        #expect(relays.chunks.map(\.recipients.count) == [300])
    }

    @Test("Chunks are spread over all relays in turn")
    func spread() async throws {
        let relays = FakeRelays()
        let places = (1...3).map(TransferBench.relay)
        try await roundTrip(TransferBench.bytes(2_700_000), relays: relays, .to(places))
        let used = Dictionary(grouping: relays.chunks, by: \.relay)
        #expect(used.count == 3)
    }

    @Test("A redirect makes a short link of any description, and is deleted with the rest")
    func redirect() async throws {
        let relays = FakeRelays()
        let bench = try TransferBench()
        let content = TransferBench.bytes(2_700_000)
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(content), .to { $0.data = "{\"a\":1}" })
        // Three chunks or more make a link longer than 1,002 characters.
        let link = try sent.links[0][0].appLink()
        #expect(link.count <= 1002)
        #expect(sent.parts[0].redirects[0] != nil)
        let reference = try sent.references()[0]
        #expect(reference.data == "{\"a\":1}")
        #expect(FileTransfers.standaloneFileInfo(reference).size == sent.parts[0].sender.size)
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            [reference], to: .folder(bench.inbox), .all { $0.acknowledge = true })
        #expect(try bench.holds(file.path, content))
        #expect(relays.chunks.allSatisfy { $0.recipients.isEmpty })
        for description in sent.senderDescriptions {
            let report = try await bench.transfers(relays).deleteStandaloneFile(description)
            #expect(report.deletedCount == description.chunks.count)
            let again = try await bench.transfers(relays).deleteStandaloneFile(description)
            #expect(again.goneCount == description.chunks.count && again.isComplete)
        }
        #expect(relays.chunks.isEmpty)
    }

    @Test("What a description says of its relays: each once, with the chunks that it has")
    func info() async throws {
        let bench = try TransferBench()
        let sent = try await bench.transfers(FakeRelays()).uploadStandaloneFile(
            bench.file(TransferBench.bytes(1_700_000)), .to((1...2).map(TransferBench.relay)))
        var description = sent.parts[0].recipients[0]
        // A second place of the same relay does not make it two chunks.
        description.chunks[0].replicas += description.chunks[0].replicas
        let info = FileTransfers.standaloneFileInfo(FileReference(description))
        #expect(Set(info.servers.map(\.address)) == Set((1...2).map { TransferBench.relay($0).address }))
        #expect(info.servers.reduce(0) { $0 + $1.chunks } == description.chunks.count)
        #expect(info.servers.reduce(0) { $0 + $1.size } == description.size)
    }

    @Test("Redirects are made always or never when that is asked for")
    func redirectChoice() async throws {
        for (choice, isThere) in [(RedirectChoice.always, true), (.never, false)] {
            let relays = FakeRelays()
            let bench = try TransferBench()
            let sent = try await bench.transfers(relays).uploadStandaloneFile(
                bench.file([1, 2, 3]), .to { $0.redirect = choice })
            #expect((sent.parts[0].redirects[0] != nil) == isThere)
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                sent.references(), to: .file(bench.inbox.appending("x")), .all())
            #expect(try bench.contents(file.path) == [1, 2, 3])
        }
    }

    @Test("Progress grows to the sum of all chunks, both ways")
    func progress() async throws {
        let relays = FakeRelays()
        let bench = try TransferBench()
        let (up, down) = (EventLog(), EventLog())
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(700_000)), .to(), report: up.report)
        _ = try await bench.transfers(relays).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all(), report: down.report)
        for log in [up, down] {
            #expect(log.progress.last.map { $0.0 == $0.1 && $0.1 == sent.parts[0].sender.size } == true)
            #expect(zip(log.progress, log.progress.dropFirst()).allSatisfy { $0.0 < $1.0 })
        }
    }

    @Test("The folder of descriptions is what the official command makes, and the journal is gone with it")
    func descriptions() async throws {
        let relays = FakeRelays()
        let bench = try TransferBench()
        let folder = bench.folder.appending("source.bin.xftp")
        _ = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(100_000)),
            .to {
                $0.recipients = 2
                $0.descriptions = folder
            })
        #expect(
            try FileSystem().list(folder).compactMap(\.name) == [
                "rcv1.xftp", "rcv2.xftp", "snd.xftp.private",
            ])
        #expect(try bench.journals.isEmpty)
        for name in ["rcv1.xftp", "rcv2.xftp"] {
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                [FileReference(file: folder.appending(name))], to: .file(bench.inbox.appending(name)), .all())
            #expect(try bench.holds(file.path, TransferBench.bytes(100_000)))
        }
        let sender = try FileReference(file: folder.appending("snd.xftp.private")).description
        #expect(try await bench.transfers(relays).deleteStandaloneFile(sender).deletedCount == 2)
    }
}
