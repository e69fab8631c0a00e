import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// The folder with the descriptions of a sent file: where it cannot be, and what it is for.
@Suite struct UploadDescriptionsTests {
    private static func interrupted(_ bench: TransferBench, _ source: FilePath) async throws -> FakeRelays {
        let relays = FakeRelays(before: { _, _, number in
            if number >= 3 { throw FakeRelays.Failure.killed }
        })
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(relays).uploadStandaloneFile(source, .to())
        }
        return FakeRelays(after: relays)
    }

    @Test(
        "A folder that nobody may write to is refused before anything is sent",
        .enabled(if: geteuid() != 0, "an administrator may write anywhere"))
    func unwritable() async throws {
        let bench = try TransferBench()
        let folder = bench.folder.appending("locked")
        try FileSystem().makeDirectory(folder)
        try FileSystem().setPermissions([.ownerRead, .ownerExecute], of: folder)
        let relays = FakeRelays()
        let error = await #expect(throws: FileError.self) {
            try await bench.transfers(relays).uploadStandaloneFile(
                bench.file(TransferBench.bytes(1000)), .to { $0.descriptions = folder.appending("a.xftp") })
        }
        #expect(error?.code == .denied)
        #expect(try relays.operations == 0 && bench.journals.isEmpty)
    }

    @Test(
        "Resumed with a place that is not there, an upload stops before it sends the rest; so does one that changed"
    )
    func resumedToNowhere() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let relays = try await Self.interrupted(bench, source)
        let nowhere = bench.folder.appending("none").appending("a.xftp")
        let id = try #require(try await bench.transfers(relays).interruptedUploads().first?.id)
        for isChanged in [false, true] {
            if isChanged { _ = try bench.file(TransferBench.bytes(700_001)) }
            let error = await #expect(throws: FileError.self) {
                try await bench.transfers(relays).uploadStandaloneFile(
                    source, .to { $0.descriptions = nowhere })
            }
            #expect(error?.code == .notFound)
            #expect(relays.operations == 0, "something was sent or removed")
            #expect(try bench.journals == [id])
        }
        // Whoever was refused gave the journal back.
        _ = try await bench.transfers(relays).uploadStandaloneFile(source, .to())
    }

    @Test(
        "Where the place goes meanwhile, the failure says that the file is sent; sent again, only the links are made"
    )
    func lateFailure() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(1000))
        let parent = bench.folder.appending("gone")
        try FileSystem().makeDirectory(parent)
        let relays = FakeRelays(before: { operation, _, _ in
            if operation == .upload { try? FileSystem().removeTree(parent) }
        })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).uploadStandaloneFile(
                source, .to { $0.descriptions = parent.appending("a.xftp") })
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("has been sent") == true)
        #expect(error?.remedy == .chooseDescriptionFolder)
        let before = relays.operations
        let folder = bench.folder.appending("a.xftp")
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            source, .to { $0.descriptions = folder })
        #expect(sent.descriptions == folder && relays.operations == before)
    }

    @Test("A full disk at the end is told so too")
    func fullDisk() async throws {
        var wasTold = false
        for position in 1...60 where !wasTold {
            let bench = try TransferBench()
            let plan = FaultPlan(.fail(.noSpace), at: position)
            do {
                _ = try await bench.transfers(FakeRelays(), fileSystem: FileSystem(interposer: plan))
                    .uploadStandaloneFile(
                        bench.file(TransferBench.bytes(1000)),
                        .to { $0.descriptions = bench.folder.appending("a.xftp") })
            } catch let error as FileTransferError where error.message.contains("has been sent") {
                #expect(error.code == .noSpace)
                wasTold = true
            } catch {}
        }
        #expect(wasTold)
    }

    @Test("By its folder all of a divided file is deleted, with the descriptions behind its short links")
    func deletedByFolder() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let folder = bench.folder.appending("source.bin.xftp")
        let transfers = bench.transfers(relays) { $0.largestDescription = 262_144 }
        let sent = try await transfers.uploadStandaloneFile(
            bench.file(TransferBench.bytes(600_000)),
            .to {
                $0.redirect = .always
                $0.recipients = 2
                $0.descriptions = folder
            })
        #expect(sent.parts.count == 3)
        let found = try SenderDescription.read(at: folder)
        #expect(found.count == 9, "three parts, six redirects")
        for sender in found {
            #expect(try await transfers.deleteStandaloneFile(sender.description).isComplete)
        }
        #expect(relays.chunks.isEmpty)
        // In a folder of folders none is meant.
        let error = #expect(throws: FileTransferError.self) {
            try SenderDescription.read(at: bench.folder.path)
        }
        #expect(error?.code == .notFound && error?.subject == bench.folder.path.string)
    }

    @Test("A recipient's description deletes nothing, and the failure names it")
    func recipientsDescription() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let folder = bench.folder.appending("a.xftp")
        _ = try await bench.transfers(relays).uploadStandaloneFile(
            bench.file(TransferBench.bytes(1000)), .to { $0.descriptions = folder })
        let path = folder.appending("rcv1.xftp")
        let error = #expect(throws: FileTransferError.self) { try SenderDescription.read(at: path) }
        #expect(error?.kind == .invalidLink && error?.subject == path.string)
        #expect(relays.count(.delete) == 0)
    }

    @Test("Where no relay took anything, nothing is kept and nothing promised", arguments: [false, true])
    func nothingSent(isTemporary: Bool) async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let refusing = FakeRelays(before: { _, _, _ in
            throw isTemporary ? FakeRelays.Failure.temporary : .unusable
        })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(refusing).uploadStandaloneFile(source, .to())
        }
        #expect(error?.kind == .relays)
        #expect(error?.message == "no relay accepts the file. Nothing was sent.")
        #expect(try bench.journals.isEmpty)
        // What a run had sent before stays.
        _ = try await Self.interrupted(bench, source)
        let second = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(refusing).uploadStandaloneFile(source, .to())
        }
        #expect(second?.message.hasSuffix("Sent chunks are kept for some hours.") == true)
        #expect(second?.remedy == .sendFileAgain)
        #expect(try bench.journals.count == 1)
    }
}
