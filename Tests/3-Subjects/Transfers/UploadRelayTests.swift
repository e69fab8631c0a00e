import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// Relays that fail in the ways relays do.
@Suite struct UploadRelayTests {
    private let relays = [TransferBench.relay(1), TransferBench.relay(2)]

    private func send(_ fake: FakeRelays, to relays: [RelayAccess], _ log: EventLog = EventLog()) async throws
        -> (UploadedFile, TransferBench)
    {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(1_700_000))
        let sent = try await bench.transfers(fake).uploadStandaloneFile(
            source, .to(relays), report: log.report)
        let file = try await bench.transfers(FakeRelays(after: fake)).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, TransferBench.bytes(1_700_000)))
        return (sent, bench)
    }

    @Test("With one of two relays down, all chunks go to the other")
    func down() async throws {
        let fake = FakeRelays(before: { [relays] _, relay, _ in
            if relay == relays[0].address { throw FakeRelays.Failure.temporary }
        })
        let log = EventLog()
        let (sent, _) = try await send(fake, to: relays, log)
        #expect(sent.parts[0].sender.chunks.allSatisfy { $0.replicas[0].server == relays[1].address })
        #expect(log.notes.contains { if case .troubled(relays[0].address, _) = $0 { true } else { false } })
    }

    @Test("A relay that goes down with a chunk registered loses it to another after some tries")
    func goesDown() async throws {
        let fake = FakeRelays(before: { [relays] operation, relay, _ in
            if relay == relays[0].address, operation == .upload { throw FakeRelays.Failure.temporary }
        })
        let (sent, _) = try await send(fake, to: relays)
        #expect(sent.parts[0].sender.chunks.allSatisfy { $0.replicas[0].server == relays[1].address })
        // What was registered in vain is taken back.
        #expect(fake.chunks.allSatisfy { $0.content != nil })
    }

    @Test("A relay without room is passed over; without any room the failure says so")
    func quota() async throws {
        let full: @Sendable (FakeRelays.Operation, XFTPAddress, Int) throws -> Void = {
            [relays] operation, relay, _ in
            if relay == relays[0].address, operation == .upload { throw FakeRelays.Failure.refused(.quota) }
        }
        _ = try await send(FakeRelays(before: full), to: relays)
        let bench = try TransferBench()
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(FakeRelays(before: full)).uploadStandaloneFile(
                bench.file([1]), .to([relays[0]]))
        }
        #expect(error?.kind == .relays)
    }

    @Test("Failures that pass are survived, and the pauses grow as the official client's do")
    func temporary() async throws {
        let failures = Mutex(0)
        let fake = FakeRelays(before: { _, _, number in
            // Two of three requests fail.
            if number % 3 != 0 {
                failures.withLock { $0 += 1 }
                throw FakeRelays.Failure.temporary
            }
        })
        let log = EventLog()
        _ = try await send(fake, to: [relays[0]], log)
        #expect(failures.withLock { $0 } > 0)
        let pauses = log.notes.compactMap { if case .retry(_, 2, let pause) = $0 { pause } else { nil } }
        #expect(!pauses.isEmpty && pauses.allSatisfy { $0 == .seconds(2) })
    }

    @Test("A relay that refuses new files ends the transfer at once, where there is no other")
    func refused() async throws {
        let bench = try TransferBench()
        let fake = FakeRelays(before: { _, _, _ in throw FakeRelays.Failure.refused(.auth) })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(fake).uploadStandaloneFile(bench.file([1]), .to())
        }
        #expect(error?.kind == .relays)
        #expect(fake.operations == 1)
    }

    @Test("Where all tries are used up, what was sent stays for the next run")
    func exhausted() async throws {
        let bench = try TransferBench()
        let fake = FakeRelays(before: { operation, _, number in
            if number > 6 { throw FakeRelays.Failure.temporary }
        })
        let source = try bench.file(TransferBench.bytes(1_700_000))
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(fake).uploadStandaloneFile(source, .to())
        }
        #expect(error?.kind == .relays)
        let log = EventLog()
        _ = try await bench.transfers(FakeRelays(after: fake)).uploadStandaloneFile(
            source, .to(), report: log.report)
        #expect(log.resumed.first ?? 0 > 0)
    }

    @Test("A cancelled transfer says so, and goes on when it is asked for again")
    func cancelled() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(1_700_000))
        let task = Mutex<Task<UploadedFile, any Error>?>(nil)
        let fake = FakeRelays(before: { _, _, number in
            if number == 3 { task.withLock { $0?.cancel() } }
        })
        let transfers = bench.transfers(fake)
        // Started inside of the lock, so that the relay finds it there.
        let started = task.withLock { task in
            let new = Task { try await transfers.uploadStandaloneFile(source, .to()) }
            task = new
            return new
        }
        let error = await #expect(throws: FileTransferError.self) { try await started.value }
        #expect(error?.kind == .cancelled)
        let log = EventLog()
        _ = try await bench.transfers(FakeRelays(after: fake)).uploadStandaloneFile(
            source, .to(), report: log.report)
        #expect(log.resumed.count == 1)
    }

    @Test("Two runs do not send under one journal")
    func alreadySending() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let fake = FakeRelays(before: { _, _, number in if number > 2 { throw FakeRelays.Failure.killed } })
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(fake).uploadStandaloneFile(source, .to())
        }
        let id = try #require(try bench.journals.first)
        let other = try FileSystem().openForUpdating(bench.states.appending(id).appending("journal"))
        #expect(try other.lockRange(.exclusive, start: 0, length: 1))
        let transfers = bench.transfers(FakeRelays(after: fake))
        let error = await #expect(throws: FileTransferError.self) {
            try await transfers.discardUpload(id)
        }
        #expect(error?.kind == .alreadySending)
        #expect(try await transfers.interruptedUploads().map(\.isRunning) == [true])
        try other.close()
        #expect(try await transfers.uploadStandaloneFile(source, .to()).id == id)
    }

    @Test("Senseless requests are refused before anything is sent")
    func senseless() async throws {
        let bench = try TransferBench()
        let fake = FakeRelays()
        let source = try bench.file([1])
        for options in [
            UploadOptions(relays: []), .to { $0.recipients = 0 }, .to { $0.recipients = 10_001 },
            .to { $0.name = String(repeating: "n", count: 256) },
        ] {
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(fake).uploadStandaloneFile(source, options)
            }
            let remedy: Remedy? = options.name == nil ? nil : .chooseAnotherName
            #expect(error?.code == .invalid && error?.remedy == remedy)
        }
        await #expect(throws: FileError.self) {
            try await bench.transfers(fake).uploadStandaloneFile(bench.folder.path, .to())
        }
        #expect(fake.operations == 0)
        #expect(try bench.journals.isEmpty)
    }

    @Test("A file larger than chats of the app take is sent with a warning")
    func warning() async throws {
        let bench = try TransferBench()
        let log = EventLog()
        _ = try await bench.transfers(FakeRelays()) { $0.warningSize = 99 }.uploadStandaloneFile(
            bench.file(TransferBench.bytes(100)), .to(), report: log.report)
        #expect(log.warnings == [.largeFile(size: 100)])
    }
}
