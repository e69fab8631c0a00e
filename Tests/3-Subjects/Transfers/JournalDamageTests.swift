import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// Journals that cannot be read, or would not be.
@Suite struct JournalDamageTests {
    private static func spoiled() -> [UInt8] {
        Array("this was a journal".utf8) + [UInt8](repeating: 0, count: 500)
    }

    @Test("A damaged journal keeps no file from being sent; it is listed as such, and discarded")
    func damagedUpload() async throws {
        let bench = try TransferBench()
        let names = ["upload-damaged", "upload-folder"]
        for name in names { try FileSystem().makeDirectories(bench.states.appending(name)) }
        try FileSystem().replace(
            bench.states.appending(names[0]).appending("journal"), with: Self.spoiled())
        // What is no file at all.
        try FileSystem().makeDirectory(bench.states.appending(names[1]).appending("journal"))
        let transfers = bench.transfers(FakeRelays())
        let sent = try await transfers.uploadStandaloneFile(bench.file([1, 2, 3]), .to())
        let listed = try await transfers.interruptedUploads()
        #expect(Set(listed.filter(\.isDamaged).map(\.id)) == Set(names))
        #expect(listed.filter { !$0.isDamaged }.map(\.id) == [sent.id])
        for name in names { try await transfers.discardUpload(name) }
        #expect(try bench.journals == [sent.id])
    }

    @Test("A download whose journal is damaged begins anew")
    func damagedDownload() async throws {
        let bench = try TransferBench()
        let content = TransferBench.bytes(700_000)
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(bench.file(content), .to())
        let killed = FakeRelays(after: relays) { _, _, number in
            if number >= 2 { throw FakeRelays.Failure.killed }
        }
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(killed) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all())
        }
        let work = bench.inbox.appending(try #require(try bench.received.first))
        try FileSystem().replace(work.appending("journal"), with: Self.spoiled())
        let log = EventLog()
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all(), report: log.report)
        #expect(log.resumed.isEmpty)
        #expect(try bench.holds(file.path, content))
        #expect(try bench.received.count == 1)
    }

    @Test("More recipients than a journal has space for are refused before anything is sent")
    func tooManyKeys() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let source = try bench.file([])
        try FileSystem().openForUpdating(source).truncate(to: 5_000_000_000)
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).uploadStandaloneFile(source, .to { $0.recipients = 10_000 })
        }
        #expect(error?.code == .invalid && error?.message.contains("recipients") == true)
        #expect(relays.operations == 0)
        #expect(try bench.journals.isEmpty)
    }

    @Test("While descriptions are written, nothing of the user's is touched, and what is pending goes")
    func descriptions() async throws {
        let bench = try TransferBench()
        let folder = bench.folder.appending("source.bin.xftp")
        let own = bench.folder.appending("source.bin.xftp.partial")
        try FileSystem().makeDirectory(own)
        try FileSystem().replace(own.appending("mine"), with: [1])
        let relays = FakeRelays(before: { operation, _, _ in
            // Somebody else takes the name meanwhile.
            if operation == .upload { try? FileSystem().makeDirectory(folder) }
        })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).uploadStandaloneFile(
                bench.file([1, 2, 3]), .to { $0.descriptions = folder })
        }
        #expect(error?.code == .alreadyExists)
        _ = try await bench.transfers(relays).uploadStandaloneFile(
            bench.folder.appending("source.bin"),
            .to { $0.descriptions = bench.folder.appending("other.xftp") })
        #expect(try bench.contents(own.appending("mine")) == [1])
        let names = try FileSystem().list(bench.folder.path).compactMap(\.name)
        #expect(names.allSatisfy { !$0.hasPrefix(".valise") }, "\(names)")
    }

    @Test("How many chunks are on their way at once stays within its bounds")
    func parallelChunks() async throws {
        var settings = TransferSettings()
        for (given, kept) in [(0, 1), (-5, 1), (3, 3), (8, 8), (1000, 8)] {
            settings.parallelChunks = given
            #expect(settings.parallelChunks == kept)
        }
    }
}
