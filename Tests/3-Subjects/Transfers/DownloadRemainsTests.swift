import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// What interrupted downloads leave, and what other runs do with it.
@Suite struct DownloadRemainsTests {
    private static let content = TransferBench.bytes(1_700_000, seed: 3)

    private static func sent(
        _ bench: TransferBench, _ content: [UInt8] = content, redirect: RedirectChoice = .never
    ) async throws -> (FakeRelays, [FileReference]) {
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(content), .to { $0.redirect = redirect })
        return (relays, try sent.references())
    }

    /// Receives two chunks.
    private static func interrupt(
        _ bench: TransferBench, _ sent: FakeRelays, _ references: [FileReference], to target: DownloadTarget,
        _ options: DownloadOptions = .all()
    ) async throws {
        let killed = FakeRelays(after: sent) { _, _, number in
            if number >= 2 { throw FakeRelays.Failure.killed }
        }
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(killed) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                references, to: target, options)
        }
    }

    // MARK: Another form

    @Test("A run for the other form, refused or not, leaves alone what one for this form had received")
    func otherForm() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("target")
        let key = bench.folder.appending("key")
        try await Self.interrupt(bench, sent, references, to: .file(target))
        let refusing = DownloadOptions(approval: RelayApproval(known: []))
        let dead = FakeRelays(after: sent) { _, _, _ in throw FakeRelays.Failure.temporary }
        try FileSystem().replace(target, with: [1])
        for (relays, options) in [(sent, DownloadOptions.all()), (sent, refusing), (dead, .all())] {
            // The first is refused as the name is taken.
            await #expect(throws: (any Error).self) {
                var options = options
                options.keyOutput = key
                _ = try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .file(target), options)
            }
            if try FileSystem().exists(target) { try FileSystem().remove(target) }
        }
        // Received whole in the other form, and then in this one.
        let log = EventLog()
        let other = bench.inbox.appending("other")
        _ = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .file(other), .all { $0.keyOutput = key }, report: log.report)
        #expect(log.resumed.isEmpty)
        let left = try #require(try bench.received.first { $0.hasPrefix(".valise") })
        #expect(log.warnings == [.otherForm(folder: bench.inbox.appending(left).string)])
        _ = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .file(target), .all(), report: log.report)
        #expect(log.resumed == [2])
        #expect(try bench.holds(target, Self.content))
        #expect(try bench.received.sorted() == ["other", "target"])
    }

    @Test("Refused for its relays, a run changes nothing of what an earlier one left, be it damaged")
    func refused() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        try await Self.interrupt(bench, sent, references, to: .folder(bench.inbox))
        let work = bench.inbox.appending(try #require(try bench.received.first))
        try FileSystem().replace(work.appending("journal"), with: Array("this was a journal".utf8))
        let before = try TemporaryFolder.contents(of: bench.inbox)
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(sent).downloadStandaloneFile(
                references, to: .folder(bench.inbox), DownloadOptions(approval: RelayApproval(known: [])))
        }
        #expect(error?.code == .denied)
        let isSame = try TemporaryFolder.contents(of: bench.inbox) == before
        #expect(isSame)
    }

    // MARK: Space

    @Test("A file with holes counts as what was received of it when space is looked at")
    func sparse() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        try await Self.interrupt(bench, sent, references, to: .folder(bench.inbox))
        let work = bench.inbox.appending(try #require(try bench.received.first))
        // As where the last chunk came first.
        try FileSystem().openForUpdating(work.appending("content")).truncate(to: 1_700_000)
        let description = references[0].description
        let there = description.chunks.prefix(2).reduce(0) { $0 + $1.size }
        let relays = FakeRelays(after: sent)
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(
                relays, fileSystem: FileSystem(interposer: Space(description.size - there - 1))
            ).downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
        }
        #expect(error?.code == .noSpace && error?.message.contains("received part is kept") == true)
        #expect(relays.count(.download) == 0)
        let log = EventLog()
        _ = try await bench.transfers(
            relays, fileSystem: FileSystem(interposer: Space(description.size - there))
        ).downloadStandaloneFile(references, to: .folder(bench.inbox), .all(), report: log.report)
        #expect(log.resumed == [2])
    }

    @Test("Without space for any of it, nothing is left, and that is said")
    func noSpace() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(sent, fileSystem: FileSystem(interposer: Space(1000)))
                .downloadStandaloneFile(references, to: .folder(bench.inbox), .all())
        }
        #expect(error?.message.contains("Nothing was received") == true)
        #expect(try bench.received.isEmpty)
    }

    // MARK: Empty folders

    @Test("The empty folder of a run that was killed at its very beginning goes when it is old")
    func emptyFolders() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let names = [".valise-receive-old", ".valise-receive-young", ".valise-receive-full"]
        for name in names { try FileSystem().makeDirectory(bench.inbox.appending(name)) }
        try FileSystem().replace(bench.inbox.appending(names[2]).appending("a"), with: [1])
        for name in [names[0], names[2]] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -8 * 24 * 3600)],
                ofItemAtPath: bench.inbox.appending(name).string)
        }
        let file = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
        let left = [names[1], names[2], try #require(file.path.lastComponent?.string)]
        #expect(try Set(bench.received) == Set(left))
    }

    @Test(
        "An upload without a journal is discarded when it is old, and one that is not there is said not to be"
    )
    func emptyUploads() async throws {
        let bench = try TransferBench()
        let transfers = bench.transfers(FakeRelays())
        let missing = await #expect(throws: FileTransferError.self) {
            try await transfers.discardUpload("upload-no")
        }
        #expect(missing?.code == .notFound && missing?.subject == "upload-no")
        let folder = bench.states.appending("upload-empty")
        try FileSystem().makeDirectories(folder)
        // Perhaps another run makes it now.
        let young = await #expect(throws: FileTransferError.self) {
            try await transfers.discardUpload("upload-empty")
        }
        #expect(young?.kind == .alreadySending)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: folder.string)
        try await transfers.discardUpload("upload-empty")
        #expect(try bench.journals.isEmpty)
    }

    // MARK: Received and not acknowledged

    /// A run that died when the file had its name.
    private static func die(
        _ bench: TransferBench, _ sent: FakeRelays, _ references: [FileReference], to target: FilePath
    ) async throws {
        let isNamed = Mutex(false)
        let dying = Failing { operation in
            if case .rename(_, let to) = operation, to == target {
                isNamed.withLock { $0 = true }
                return false
            }
            return isNamed.withLock { $0 }
        }
        await #expect(throws: FileError.self) {
            try await bench.transfers(sent, fileSystem: FileSystem(interposer: dying))
                .downloadStandaloneFile(references, to: .file(target), .all())
        }
    }

    @Test("What was received whole before a crash is acknowledged by the next run", arguments: [false, true])
    func acknowledgement(isBehindRedirect: Bool) async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench, redirect: isBehindRedirect ? .always : .never)
        let target = bench.inbox.appending("target")
        try await Self.die(bench, sent, references, to: target)
        let asked = Counter()
        let approval = RelayApproval(known: []) { _ in
            asked.add()
            return true
        }
        let transfers = bench.transfers(sent)
        let file = try await transfers.downloadStandaloneFile(
            references, to: .file(target), DownloadOptions(approval: approval))
        #expect(try bench.holds(target, Self.content))
        #expect(asked.count == 0)
        await transfers.acknowledge(file, approval)
        #expect(asked.count == 1)
        #expect(sent.chunks.allSatisfy { $0.recipients.isEmpty })
    }

    @Test("It is not acknowledged to relays that nobody approves")
    func unapprovedAcknowledgement() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("target")
        try await Self.die(bench, sent, references, to: target)
        var options = DownloadOptions(approval: RelayApproval(known: []))
        options.acknowledge = true
        let before = sent.operations
        let log = EventLog()
        let file = try await bench.transfers(sent).downloadStandaloneFile(
            references, to: .file(target), options, report: log.report)
        #expect(file.path == target)
        #expect(sent.operations == before)
        #expect(log.warnings == [.notAcknowledged(chunks: references[0].description.chunks.count)])
    }
}

/// So much space is free, in bytes.
private final class Space: FileInterposer {
    private let space: Int64

    init(_ space: Int64) { self.space = space }

    func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
    func freeSpace(_ space: Int64) -> Int64 { self.space }
}

/// Fails operations.
final class Failing: FileInterposer {
    private let isFailing: @Sendable (FileOperation) -> Bool

    init(_ isFailing: @escaping @Sendable (FileOperation) -> Bool) { self.isFailing = isFailing }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        isFailing(operation) ? .fail(.ioError) : .proceed
    }
}
