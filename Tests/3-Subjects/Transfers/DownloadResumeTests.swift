import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

@Suite struct DownloadResumeTests {
    private static let content = TransferBench.bytes(1_700_000, seed: 3)

    private static func sent(_ bench: TransferBench) async throws -> (FakeRelays, [FileReference]) {
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(content), .to { $0.redirect = .never })
        return (relays, try sent.references())
    }

    @Test("Killed after any chunk, a download goes on and asks for no chunk twice")
    func killedAtRequests() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let chunks = references[0].description.chunks.count
        for moment in 0..<chunks {
            let target = bench.inbox.appending("\(moment)")
            let first = FakeRelays(after: sent) { _, _, number in
                if number >= moment { throw FakeRelays.Failure.killed }
            }
            await #expect(throws: FakeRelays.Failure.self) {
                try await bench.transfers(first) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                    references, to: .file(target), .all())
            }
            #expect(try !FileSystem().exists(target))
            let second = FakeRelays(after: sent)
            let log = EventLog()
            _ = try await bench.transfers(second).downloadStandaloneFile(
                references, to: .file(target), .all(), report: log.report)
            #expect(try bench.holds(target, Self.content))
            #expect(second.count(.download) == chunks - moment)
            #expect(log.resumed == (moment > 0 ? [moment] : []))
        }
        #expect(try bench.received.count == chunks)
    }

    @Test("Crashed at any change of a file, a download goes on", arguments: [false, true])
    func crashedAtFiles(isEncrypted: Bool) async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let content = TransferBench.bytes(200_000)
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(content), .to { $0.redirect = .never })
        for position in 1... {
            let target = bench.inbox.appending("\(position)")
            let key = isEncrypted ? bench.folder.appending("key\(position)") : nil
            let plan = FaultPlan(.crash, at: position)
            let options = DownloadOptions.all { $0.keyOutput = key }
            var failed = false
            do {
                _ = try await bench.transfers(relays, fileSystem: FileSystem(interposer: plan))
                    .downloadStandaloneFile(sent.references(), to: .file(target), options)
            } catch { failed = true }
            if !plan.wasReached { break }
            #expect(failed, "operation \(position)")
            var isFinished = false
            do {
                _ = try await bench.transfers(relays).downloadStandaloneFile(
                    sent.references(), to: .file(target), options)
            } catch let error as FileError where error.code == .alreadyExists {
                // Only what is removed last was left: the file was there, which is what the failure says.
                isFinished = true
            }
            var found = try bench.contents(target)
            if let key {
                let args = try CryptoFileArgs(text: SecretBytes(copying: bench.contents(key)))
                let plain = bench.folder.appending("plain\(position)")
                try CryptoFileOperations().decrypt(
                    CryptoFileInput(target), to: .file(plain, replacing: false), args)
                found = try bench.contents(plain)
            }
            let isIntact = found == content
            #expect(isIntact, "operation \(position)")
            for name in try bench.received where name.hasPrefix(".valise") {
                let left = bench.inbox.appending(name)
                let isEmpty = try FileSystem().list(left).isEmpty
                #expect(isFinished && isEmpty, "operation \(position)")
                try FileSystem().removeTree(left)
            }
        }
    }

    @Test("Without space the failure says so, and what was received is kept")
    func noSpace() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let full = FullDisk(after: 3)
        let error = await #expect(throws: (any Error).self) {
            try await bench.transfers(sent, fileSystem: FileSystem(interposer: full)) {
                $0.parallelChunks = 1
            }
            .downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
        }
        #expect((error as? any ValiseFailures.Failure)?.code == .noSpace)
        let log = EventLog()
        let file = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all(), report: log.report)
        #expect(try bench.holds(file.path, Self.content))
        #expect(log.resumed.first ?? 0 > 0)
    }

    @Test("A chunk that the disk lost since is received again")
    func lostOnDisk() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let first = FakeRelays(after: sent) { _, _, number in
            if number >= 3 { throw FakeRelays.Failure.killed }
        }
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
        }
        let work = bench.inbox.appending(try #require(try bench.received.first))
        let content = try FileSystem().openForUpdating(work.appending("content"))
        try [UInt8](repeating: 0, count: 100).withUnsafeBytes { try content.write($0, at: 1000) }
        let log = EventLog()
        let file = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all(), report: log.report)
        #expect(log.resumed == [2])
        #expect(try bench.holds(file.path, Self.content))
    }

    @Test("Two runs do not receive the same file into one folder")
    func alreadyReceiving() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let first = FakeRelays(after: sent) { _, _, number in
            if number >= 1 { throw FakeRelays.Failure.killed }
        }
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
        }
        let work = bench.inbox.appending(try #require(try bench.received.first))
        let other = try FileSystem().openForUpdating(work.appending("journal"))
        #expect(try other.lockRange(.exclusive, start: 0, length: 1))
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(sent).downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
        }
        #expect(error?.kind == .alreadyReceiving)
        try other.close()
        _ = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
    }

    @Test(
        "Of two runs that begin at one moment one receives, and the other says so",
        arguments: [false, true])
    func beganAtOnce(other hasJournal: Bool) async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let other = QuickerProcess { operation in
            switch operation {
            case .makeDirectory(let path) where !hasJournal: try FileSystem().makeDirectory(path)
            case .create(let path) where hasJournal && path.lastComponent?.string == "journal":
                try FileSystem().create(path).close()
            default: break
            }
        }
        let transfers = bench.transfers(sent, fileSystem: FileSystem(interposer: other))
        if hasJournal {
            let error = await #expect(throws: FileTransferError.self) {
                try await transfers.downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .alreadyReceiving)
        } else {
            let file = try await transfers.downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, Self.content))
        }
    }

    @Test("What was proved and lost bytes since, or all of them, is received again", arguments: [1000, nil])
    func provedAndLost(size: Int64?) async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("target")
        let recorder = Recorder(failing: target)
        await #expect(throws: FileError.self) {
            try await bench.transfers(sent, fileSystem: FileSystem(interposer: recorder))
                .downloadStandaloneFile(references, to: .file(target), .all())
        }
        let work = bench.inbox.appending(try #require(try bench.received.first))
        let content = work.appending("content")
        if let size {
            try FileSystem().openForUpdating(content).truncate(to: size)
        } else {
            try FileSystem().remove(content)
        }
        _ = try await bench.transfers(sent).downloadStandaloneFile(references, to: .file(target), .all())
        #expect(try bench.holds(target, Self.content))
        #expect(try bench.received == ["target"])
    }

    @Test("The content is flushed before the journal says that it was proved")
    func flushedWhenProved() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let recorder = Recorder(failing: nil)
        _ = try await bench.transfers(sent, fileSystem: FileSystem(interposer: recorder))
            .downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
        let flushes = recorder.all.compactMap { operation -> String? in
            guard case .synchronize(let path) = operation else { return nil }
            return path.lastComponent?.string
        }
        // The first of the journal is of its beginning, the next of the proof.
        let journals = flushes.indices.filter { flushes[$0] == "journal" }
        try #require(journals.count > 1)
        #expect(flushes[journals[0]..<journals[1]].contains("content"), "\(flushes)")
    }

    @Test("What expired in the midst is kept, and goes on when the relays have it after all")
    func expiredInTheMidst() async throws {
        for code in [XFTPErrorCode.auth, .noFile] {
            let bench = try TransferBench()
            let (sent, references) = try await Self.sent(bench)
            let first = FakeRelays(after: sent) { _, _, number in
                if number >= 2 { throw FakeRelays.Failure.refused(code) }
            }
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(first) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                    references, to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .expired)
            #expect(error?.message.contains("never uploaded") == (code == .noFile))
            let log = EventLog()
            let file = try await bench.transfers(sent).downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all(), report: log.report)
            #expect(log.resumed == [2])
            #expect(try bench.holds(file.path, Self.content))
        }
    }

    @Test("A failed acknowledgement does not undo a download")
    func acknowledgement() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let relays = FakeRelays(after: sent) { operation, _, _ in
            if operation == .acknowledge { throw FakeRelays.Failure.temporary }
        }
        let log = EventLog()
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all { $0.acknowledge = true }, report: log.report)
        #expect(try bench.holds(file.path, Self.content))
        #expect(log.warnings == [.notAcknowledged(chunks: references[0].description.chunks.count)])
    }
}

/// Notes all operations, and fails the one that gives a file its name.
private final class Recorder: FileInterposer {
    private let operations = Mutex<[FileOperation]>([])
    private let name: FilePath?

    init(failing name: FilePath?) { self.name = name }

    var all: [FileOperation] { operations.withLock { $0 } }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        operations.withLock { $0.append(operation) }
        if case .rename(_, let to) = operation, to == name { return .fail(.ioError) }
        return .proceed
    }
}

/// Takes some writes, then none.
private final class FullDisk: FileInterposer {
    private let plan: FaultPlan
    private let writes: Int

    init(after writes: Int) {
        plan = FaultPlan(.none)
        self.writes = writes
    }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        guard case .write(let path, _) = operation, path.lastComponent?.string == "content" else {
            return .proceed
        }
        _ = plan.verdict(on: operation)
        return plan.count > writes ? .fail(.noSpace) : .proceed
    }
}
