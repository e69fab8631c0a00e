import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// What an earlier run left is believed only where it belongs to what is received now.
@Suite struct DownloadIdentityTests {
    private static let content = TransferBench.bytes(700_000, seed: 9)

    private static func sent(
        _ bench: TransferBench, _ content: [UInt8] = content, name: String = "source.bin"
    ) async throws -> (FakeRelays, [FileReference]) {
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(content, name), .to { $0.redirect = .never })
        return (relays, try sent.references())
    }

    @Test("A description with the digest of another and a key of its own does not disturb what that received")
    func otherKey() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("target")
        await #expect(throws: FileError.self) {
            try await bench.transfers(
                relays,
                fileSystem: FileSystem(
                    interposer: Failing { operation in
                        if case .rename(_, let to) = operation { to == target } else { false }
                    })
            ).downloadStandaloneFile(references, to: .file(target), .all())
        }
        var other = references[0].description
        other.key = try SecretSeed()
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).downloadStandaloneFile(
                [FileReference(other)], to: .file(target), .all())
        }
        #expect(error?.kind == .damaged)
        let again = FakeRelays(after: relays)
        _ = try await bench.transfers(again).downloadStandaloneFile(references, to: .file(target), .all())
        #expect(again.count(.download) == 0)
        #expect(try bench.holds(target, Self.content))
    }

    @Test("A file that took the place of a received one is not taken for it")
    func otherFile() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("source.bin")
        // Killed when it had its name.
        let named = Mutex(false)
        await #expect(throws: FileError.self) {
            try await bench.transfers(
                relays,
                fileSystem: FileSystem(
                    interposer: Failing { operation in
                        if case .rename(_, let to) = operation, to == target {
                            named.withLock { $0 = true }
                            return false
                        }
                        return named.withLock { $0 }
                    })
            ).downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
        }
        #expect(try bench.holds(target, Self.content))
        let others = TransferBench.bytes(Self.content.count, seed: 10)
        try FileSystem().replace(target, with: others)
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
        #expect(file.path.lastComponent?.string == "source_1.bin")
        #expect(try bench.holds(file.path, Self.content))
        #expect(try bench.holds(target, others))
    }

    @Test("Cancelled when all chunks are there and nothing is proved, a file gets no name")
    func cancelledBeforeProof() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench, [1, 2, 3])
        var description = references[0].description
        description.digest[0] ^= 1
        let reference = FileReference(description)
        let transfers = bench.transfers(relays)
        let folder = bench.inbox
        for moment in [Moment.named, .progress] {
            let task = Task {
                try await transfers.downloadStandaloneFile([reference], to: .folder(folder), .all()) {
                    event in
                    let isNow =
                        switch event {
                        case .note(let note as TransferNote):
                            if case .named = note { moment == .named } else { false }
                        case .progress: moment == .progress
                        default: false
                        }
                    if isNow { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            let error = await #expect(throws: FileTransferError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            #expect(try bench.received.allSatisfy { $0.hasPrefix(".valise") })
        }
    }

    private enum Moment { case named, progress }

    @Test("What is kept is told, and goes with a later download into the same folder when it is old")
    func abandoned() async throws {
        let bench = try TransferBench()
        let log = EventLog()
        for (name, seed) in [("old", UInt64(20)), ("young", 21), ("running", 22)] {
            let (relays, references) = try await Self.sent(
                bench, TransferBench.bytes(700_000, seed: seed), name: name)
            let killed = FakeRelays(after: relays) { _, _, number in
                if number >= 2 { throw FakeRelays.Failure.killed }
            }
            await #expect(throws: FakeRelays.Failure.self) {
                try await bench.transfers(killed) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                    references, to: .folder(bench.inbox), .all(), report: log.report)
            }
        }
        let folders = log.warnings.compactMap { warning -> FilePath? in
            if case .kept(let folder) = warning { FilePath(folder) } else { nil }
        }
        try #require(folders.count == 3)
        for folder in [folders[0], folders[2]] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -8 * 24 * 3600)],
                ofItemAtPath: folder.appending("journal").string)
        }
        // What only looks like one.
        let foreign = bench.inbox.appending(".valise-receive-foreign")
        try FileSystem().makeDirectory(foreign)
        try FileSystem().replace(foreign.appending("journal"), with: Array("something else".utf8))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)],
            ofItemAtPath: foreign.appending("journal").string)
        let running = try FileSystem().openForUpdating(folders[2].appending("journal"))
        #expect(try running.lockRange(.exclusive, start: 0, length: 1))
        let (relays, references) = try await Self.sent(bench)
        _ = try await bench.transfers(relays).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
        let there = try [folders[0], folders[1], folders[2], foreign].map { try FileSystem().exists($0) }
        #expect(there == [false, true, true, true])
        try running.close()
    }
}
