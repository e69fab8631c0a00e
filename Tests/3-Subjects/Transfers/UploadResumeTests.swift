import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

@Suite struct UploadResumeTests {
    /// Dies at the n-th request: before it reaches the relay, or before its answer arrives. Nothing works afterwards.
    private static func dying(at moment: Int, afterwards: Bool) -> FakeRelays {
        let die: @Sendable (FakeRelays.Operation, XFTPAddress, Int) throws -> Void = { _, _, number in
            if number >= moment { throw FakeRelays.Failure.killed }
        }
        return afterwards
            ? FakeRelays(before: { if $2 > moment { throw FakeRelays.Failure.killed } }, after: die)
            : FakeRelays(before: die)
    }

    @Test(
        "Killed at any request, an upload goes on: the same key, and nothing stored is sent twice",
        arguments: [false, true])
    func killedAtRequests(afterwards: Bool) async throws {
        let content = TransferBench.bytes(700_000)
        for moment in 0... {
            let bench = try TransferBench()
            let source = try bench.file(content)
            let first = Self.dying(at: moment, afterwards: afterwards)
            let options = UploadOptions.to([TransferBench.relay(1), TransferBench.relay(2)]) {
                $0.recipients = 3
                $0.redirect = .never
            }
            do {
                _ = try await bench.transfers(first).uploadStandaloneFile(source, options)
                #expect(moment > 4)
                return
            } catch is FakeRelays.Failure {}
            #expect(try bench.journals.count == 1)
            let storedBefore = first.stored.count
            let second = FakeRelays(after: first)
            let log = EventLog()
            let sent = try await bench.transfers(second).uploadStandaloneFile(
                source, options, report: log.report)
            #expect(log.resumed.count == 1 && log.restarts.isEmpty)
            let file = try await bench.transfers(second).downloadStandaloneFile(
                sent.references(2), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content))
            // A relay that has a chunk whose answer was lost gets it again; one whose answer came does not.
            let twice = second.chunks.filter { $0.arrivals > 1 }.count
            #expect(twice <= (afterwards ? 4 : 0), "killed at \(moment)")
            let chunks = sent.parts[0].sender.chunks.count
            #expect(second.count(.upload) <= chunks - storedBefore + twice)
        }
    }

    @Test("An acknowledged chunk is never sent again, however often the upload is killed")
    func killedOftenly() async throws {
        let content = TransferBench.bytes(1_500_000)
        let bench = try TransferBench()
        let source = try bench.file(content)
        var relays = FakeRelays()
        var runs = 0
        while true {
            runs += 1
            // One chunk for each run: one FNEW, one FPUT.
            relays = FakeRelays(after: relays) { _, _, number in
                if number >= 2 { throw FakeRelays.Failure.killed }
            }
            do {
                _ = try await bench.transfers(relays) { $0.parallelChunks = 1 }
                    .uploadStandaloneFile(source, .to { $0.redirect = .never })
                break
            } catch is FakeRelays.Failure {}
        }
        #expect(runs > 2)
        #expect(relays.chunks.allSatisfy { $0.arrivals == 1 })
        #expect(relays.stored.count == relays.chunks.count)
    }

    @Test("Crashed at any change of a file, an upload goes on")
    func crashedAtFiles() async throws {
        let content = TransferBench.bytes(400_000)
        for position in 1... {
            let bench = try TransferBench()
            let source = try bench.file(content)
            let plan = FaultPlan(.crash, at: position)
            let relays = FakeRelays()
            let folder = bench.folder.appending("descriptions")
            let options = UploadOptions.to { $0.descriptions = folder }
            var failed = false
            do {
                _ = try await bench.transfers(relays, fileSystem: FileSystem(interposer: plan))
                    .uploadStandaloneFile(source, options)
            } catch { failed = true }
            if !plan.wasReached { break }
            #expect(failed, "operation \(position)")
            do {
                _ = try await bench.transfers(relays).uploadStandaloneFile(source, options)
            } catch let error as FileError where error.code == .alreadyExists {
                // Only what is removed last was left: the descriptions were there, which is what the failure says.
                let isEmpty = try bench.journals.allSatisfy { try Self.isEmpty(bench.states.appending($0)) }
                #expect(isEmpty, "operation \(position)")
            }
            let reference = try FileReference(file: folder.appending("rcv1.xftp"))
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                [reference], to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content), "operation \(position)")
            for upload in try await bench.transfers(relays).interruptedUploads() {
                Issue.record("left behind after operation \(position): \(upload)")
            }
        }
    }

    private static func isEmpty(_ folder: FilePath) throws -> Bool { try FileSystem().list(folder).isEmpty }

    @Test("What a run left that was killed while it made or removed its journal goes with the next upload")
    func remains() async throws {
        let bench = try TransferBench()
        let fileSystem = FileSystem()
        for name in ["upload-empty", "upload-without-request", "upload-just-made"] {
            try fileSystem.makeDirectories(bench.states.appending(name))
        }
        try fileSystem.replace(
            bench.states.appending("upload-without-request").appending("journal"),
            with: Array("valise transfer 1\n".utf8))
        for name in ["upload-empty", "upload-without-request"] { try Self.age(bench.states.appending(name)) }
        let source = try bench.file(TransferBench.bytes(1000))
        let folder = bench.folder.appending("descriptions")
        _ = try await bench.transfers(FakeRelays()).uploadStandaloneFile(
            source, .to { $0.descriptions = folder })
        #expect(try bench.journals == ["upload-just-made"])
    }

    @Test("Killed after it wrote the descriptions, a run's folder is found by the next one")
    func descriptionsThere() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(1000))
        let relays = FakeRelays()
        _ = try await bench.transfers(relays).uploadStandaloneFile(source, .to { $0.redirect = .always })
        let kept = bench.folder.appending("kept")
        try FileManager.default.copyItem(atPath: bench.states.string, toPath: kept.string)
        let (first, second) = (bench.folder.appending("a.xftp"), bench.folder.appending("a_1.xftp"))
        let log = EventLog()
        let sent = try await bench.transfers(relays).uploadStandaloneFile(
            source,
            .to {
                $0.redirect = .always
                $0.descriptions = first
            }, report: log.report)
        #expect(log.resumed == [1], "the chunk of the redirect is none of the file's")
        #expect(sent.descriptions == first)
        #expect(try bench.journals.isEmpty)
        try FileManager.default.removeItem(atPath: bench.states.string)
        try FileManager.default.copyItem(atPath: kept.string, toPath: bench.states.string)
        let repeated = try await bench.transfers(relays).uploadStandaloneFile(
            source,
            .to {
                $0.redirect = .always
                $0.descriptions = second
                $0.previousDescriptions = [first]
            })
        #expect(repeated.descriptions == first)
        #expect(try !FileSystem().exists(second))
        #expect(try bench.journals.isEmpty)
    }

    private static func age(_ folder: FilePath) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: folder.string)
    }

    @Test("Changed in between, a source is sent under a new key and what was sent is deleted")
    func sourceChanged() async throws {
        let bench = try TransferBench()
        var content = TransferBench.bytes(700_000)
        let source = try bench.file(content)
        let first = Self.dying(at: 4, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first).uploadStandaloneFile(source, .to())
        }
        #expect(!first.chunks.isEmpty)
        content[600_000] ^= 1
        _ = try bench.file(content)
        let second = FakeRelays(after: first)
        let log = EventLog()
        let sent = try await bench.transfers(second).uploadStandaloneFile(source, .to(), report: log.report)
        #expect(log.restarts == [.sourceChanged])
        let reachable = sent.senderDescriptions.reduce(0) { $0 + $1.chunks.count }
        #expect(second.chunks.count == reachable)
        let file = try await bench.transfers(second).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, content))
        let digests = Set(first.chunks.map(\.digest))
        // Under another key, even what did not change is other bytes.
        #expect(second.chunks.allSatisfy { !digests.contains($0.digest) })
    }

    @Test("Changed without a trace in size and time, a source is noticed by the digests of its chunks")
    func sourceChangedSecretly() async throws {
        let bench = try TransferBench()
        var content = TransferBench.bytes(700_000)
        let source = try bench.file(content)
        let before = try #require(try FileSystem().attributes(of: source))
        let first = Self.dying(at: 4, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.uploadStandaloneFile(source, .to())
        }
        content[10] ^= 1
        let file = try FileSystem().openForUpdating(source)
        try content.withUnsafeBytes { try file.write($0, at: 0) }
        try file.setModificationTime(before.modificationTime, nanoseconds: before.modificationNanoseconds)
        let second = FakeRelays(after: first)
        let log = EventLog()
        let sent = try await bench.transfers(second).uploadStandaloneFile(source, .to(), report: log.report)
        #expect(log.restarts == [.sourceChanged])
        let received = try await bench.transfers(second).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(received.path, content))
    }

    @Test("A source that changes while it is sent fails, and nothing of it stays")
    func sourceChangesMeanwhile() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let relays = FakeRelays(before: { operation, _, number in
            if number == 3 { try? FileSystem().openForUpdating(source).setModificationTime(1) }
        })
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).uploadStandaloneFile(source, .to())
        }
        #expect(error?.kind == .sourceChanged)
        #expect(relays.chunks.isEmpty)
        #expect(try bench.journals.isEmpty)
    }

    @Test("What is too old to be kept until the rest is there is sent anew")
    func tooOld() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let first = Self.dying(at: 4, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first).uploadStandaloneFile(source, .to())
        }
        let log = EventLog()
        let second = FakeRelays(after: first)
        _ = try await bench.transfers(second) { $0.now = { TransferSettings().now() + 25 * 3600 } }
            .uploadStandaloneFile(source, .to(), report: log.report)
        #expect(log.restarts == [.tooOld])
    }

    @Test("A relay that forgot a chunk between two runs is told of it again")
    func forgotten() async throws {
        let bench = try TransferBench()
        let content = TransferBench.bytes(700_000)
        let source = try bench.file(content)
        // Registered, and killed before it was sent.
        let first = Self.dying(at: 1, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.uploadStandaloneFile(source, .to())
        }
        first.expireAll()
        let second = FakeRelays(after: first)
        let sent = try await bench.transfers(second).uploadStandaloneFile(source, .to())
        let file = try await bench.transfers(second).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, content))
    }

    @Test("Resumed with another relay, no link names the previous one", arguments: [false, true])
    func otherRelay(isRedirected: Bool) async throws {
        let content = TransferBench.bytes(1_700_000)
        for moment in 0...30 {
            let bench = try TransferBench()
            let source = try bench.file(content)
            let first = Self.dying(at: moment, afterwards: false)
            let redirect: RedirectChoice = isRedirected ? .always : .never
            do {
                _ = try await bench.transfers(first) { $0.parallelChunks = 1 }
                    .uploadStandaloneFile(source, .to { $0.redirect = redirect })
                #expect(moment > 4)
                return
            } catch is FakeRelays.Failure {}
            let gone = TransferBench.one.address
            let second = FakeRelays(after: first) { _, relay, _ in
                if relay == gone { throw FakeRelays.Failure.temporary }
            }
            let other = TransferBench.relay(2)
            let sent = try await bench.transfers(second).uploadStandaloneFile(
                source, .to([other]) { $0.redirect = redirect })
            #expect(second.count(.delete) <= 2, "the relay that is gone was asked again and again")
            let used = Set(sent.senderDescriptions.flatMap(\.relays))
            #expect(used == [other.address], "killed at \(moment)")
            let file = try await bench.transfers(second).downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content), "killed at \(moment)")
        }
        Issue.record("never finished")
    }

    @Test("Resumed with one more relay, what was stored is not sent again")
    func oneMoreRelay() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(1_700_000))
        let first = Self.dying(at: 4, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.uploadStandaloneFile(source, .to())
        }
        #expect(!first.stored.isEmpty)
        let second = FakeRelays(after: first)
        _ = try await bench.transfers(second).uploadStandaloneFile(
            source, .to([TransferBench.relay(2), TransferBench.one]))
        #expect(second.chunks.allSatisfy { $0.arrivals == 1 })
    }

    @Test("A complete upload stays on its relays when the source changes, or other relays are given")
    func completeStays() async throws {
        let bench = try TransferBench()
        let content = TransferBench.bytes(700_000)
        let source = try bench.file(content)
        let relays = FakeRelays()
        let transfers = bench.transfers(relays)
        let first = try await transfers.uploadStandaloneFile(source, .to())
        let log = EventLog()
        let second = try await transfers.uploadStandaloneFile(
            source, .to([TransferBench.relay(2)]), report: log.report)
        #expect(Set(second.senderDescriptions.flatMap(\.relays)) == [TransferBench.relay(2).address])
        _ = try bench.file(TransferBench.bytes(500_000, seed: 2))
        _ = try await transfers.uploadStandaloneFile(
            source, .to([TransferBench.relay(2)]), report: log.report)
        #expect(log.restarts == [.otherRelays, .sourceChanged])
        #expect(relays.count(.delete) == 0)
        for sent in [first, second] {
            let file = try await transfers.downloadStandaloneFile(
                sent.references(), to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, content))
        }
        #expect(try bench.journals.count == 1)
    }

    @Test("What cannot be sent is refused before anything is: no relays, data that is too long or no JSON")
    func refusedRequests() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let first = Self.dying(at: 4, afterwards: false)
        let long = "\"" + String(repeating: "x", count: 70_000) + "\""
        for options in [UploadOptions.to([]), .to { $0.data = long }, .to { $0.data = "{" }] {
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(first).uploadStandaloneFile(source, options)
            }
            #expect(error?.code == .invalid)
        }
        #expect(try first.operations == 0 && bench.journals.isEmpty)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first).uploadStandaloneFile(source, .to())
        }
        let transfers = bench.transfers(FakeRelays(after: first))
        let id = try #require(try await transfers.interruptedUploads().first?.id)
        let error = await #expect(throws: FileTransferError.self) {
            try await transfers.uploadStandaloneFile(source, .to([]))
        }
        #expect(error?.code == .invalid)
        #expect(try await transfers.uploadStandaloneFile(source, .to()).id == id)
    }

    @Test("Interrupted uploads are listed, resumed, discarded and forgotten")
    func management() async throws {
        let bench = try TransferBench()
        let source = try bench.file(TransferBench.bytes(700_000))
        let first = Self.dying(at: 5, afterwards: false)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first).uploadStandaloneFile(source, .to())
        }
        let second = FakeRelays(after: first)
        let transfers = bench.transfers(second)
        let listed = try await transfers.interruptedUploads()
        #expect(listed.count == 1)
        let upload = try #require(listed.first)
        #expect(upload.size == 700_000 && !upload.isComplete)
        let sent = try await transfers.uploadStandaloneFile(source, .to())
        #expect(sent.id == upload.id)
        #expect(try await transfers.interruptedUploads().map(\.isComplete) == [true])
        // Sent and not taken note of: the same links again, without a request.
        let before = second.operations
        let again = try await transfers.uploadStandaloneFile(source, .to())
        #expect(second.operations == before)
        #expect(again.id == sent.id)
        try await transfers.forgetUpload(sent.id)
        #expect(try await transfers.interruptedUploads().isEmpty)
        #expect(!second.chunks.isEmpty)

        let third = FakeRelays(after: second) { _, _, number in
            if number >= 3 { throw FakeRelays.Failure.killed }
        }
        let other = try bench.file(TransferBench.bytes(600_000), "other.bin")
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(third).uploadStandaloneFile(other, .to())
        }
        let fourth = FakeRelays(after: third)
        let id = try #require(try await bench.transfers(fourth).interruptedUploads().first?.id)
        try await bench.transfers(fourth).discardUpload(id)
        #expect(fourth.chunks.count == second.chunks.count)
        #expect(try bench.journals.isEmpty)
    }

    @Test("The journal is private to its owner")
    func permissions() async throws {
        let bench = try TransferBench()
        let source = try bench.file([1])
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(Self.dying(at: 0, afterwards: false)).uploadStandaloneFile(
                source, .to())
        }
        let folder = bench.states.appending(try #require(try bench.journals.first))
        #expect(try FileSystem().attributes(of: folder)?.permissions == .ownerReadWriteExecute)
        #expect(try FileSystem().attributes(of: folder.appending("journal"))?.permissions == .ownerReadWrite)
    }
}
