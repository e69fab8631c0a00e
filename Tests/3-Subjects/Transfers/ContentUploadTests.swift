import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// What is no file and is sent as one.
@Suite struct ContentUploadTests {
    // MARK: Resuming

    @Test("Killed at any request, a content continues under the same key, and nothing stored is sent twice")
    func killedAtRequests() async throws {
        for moment in 0... {
            let bench = try TransferBench()
            let first = ContentBench.dying(at: moment)
            do {
                let source = VersionedContent(ContentBench.bytes)
                _ = try await bench.transfers(first).upload(source.content(), ContentBench.options)
                #expect(moment > 8)
                return
            } catch is FakeRelays.Failure {}
            let second = FakeRelays(after: first)
            let log = EventLog()
            let sent = try await bench.transfers(second).upload(
                VersionedContent(ContentBench.bytes).content(), ContentBench.options, report: log.report)
            #expect(log.resumed.count == 1 && log.restarts.isEmpty && log.warnings.isEmpty)
            #expect(second.chunks.allSatisfy { $0.arrivals == 1 }, "killed at \(moment)")
            #expect(second.chunks.count == ContentBench.reachable(sent), "killed at \(moment)")
            #expect(sent.parts.allSatisfy { $0.redirects.allSatisfy { $0 != nil } })
            try await ContentBench.arrives(sent, second, bench, ContentBench.bytes)
        }
    }

    @Test("Divided and interrupted, a content continues under the keys of its parts")
    func divided() async throws {
        let bench = try TransferBench()
        let first = ContentBench.dying(at: 6)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.largestDescription = 262_144 }
                .upload(VersionedContent(ContentBench.bytes).content(), ContentBench.options)
        }
        let second = FakeRelays(after: first)
        let sent = try await bench.transfers(second) { $0.largestDescription = 262_144 }
            .upload(VersionedContent(ContentBench.bytes).content(), ContentBench.options)
        #expect(sent.parts.map(\.name) == ["account.zip.001", "account.zip.002", "account.zip.003"])
        #expect(sent.links.map(\.count) == [3])
        #expect(second.chunks.allSatisfy { $0.arrivals == 1 })
        try await ContentBench.arrives(sent, second, bench, ContentBench.bytes)
    }

    @Test(
        "A content that is complete has the same links again, at any age, without a request or a look at it")
    func complete() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let sent = try await bench.transfers(relays).upload(
            VersionedContent(ContentBench.bytes).content(), ContentBench.options)
        let before = relays.operations
        let source = VersionedContent(ContentBench.bytes)
        let log = EventLog()
        let transfers = bench.transfers(relays) { $0.now = { TransferSettings().now() + 47 * 3600 } }
        let again = try await transfers.upload(source.content(), ContentBench.options, report: log.report)
        let kept = try #require(try await transfers.uploadedFile(sent.id))
        for other in [again, kept] {
            #expect(other.id == sent.id && other.name == "account.zip" && other.size == 700_000)
            #expect(other.created == sent.created)
            #expect(try ContentBench.links(other) == ContentBench.links(sent))
        }
        #expect(relays.operations == before && source.reads == 0 && log.restarts.isEmpty)
        let listed = try await transfers.uploads(ofContent: "move:1:1")
        #expect(listed.map(\.id) == [sent.id] && listed.map(\.isComplete) == [true])
        #expect(try await transfers.uploads(ofContent: "move:1:2").isEmpty)
    }

    @Test("What is not complete, or not there, has no links")
    func noLinks() async throws {
        let bench = try TransferBench()
        let relays = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
        let transfers = bench.transfers(relays)
        let id = try #require(try await transfers.uploads(ofContent: "move:1:1").first?.id)
        #expect(try await transfers.uploadedFile(id) == nil)
        for other in ["upload-other", "../\(id)", ""] {
            #expect(try await transfers.uploadedFile(other) == nil)
            #expect(try await transfers.content(ofUpload: other) == nil)
        }
    }

    // MARK: Other contents

    @Test("Of another version, a content is sent anew, and what was sent of the previous one is removed")
    func otherVersion() async throws {
        let other = TransferBench.bytes(500_000, seed: 2)
        for isComplete in [false, true] {
            let bench = try TransferBench()
            let previous = VersionedContent(ContentBench.bytes)
            var first = FakeRelays()
            if isComplete {
                _ = try await bench.transfers(first).upload(previous.content(), ContentBench.options)
            } else {
                first = try await ContentBench.interrupted(bench, previous)
            }
            let second = FakeRelays(after: first)
            let log = EventLog()
            let sent = try await bench.transfers(second).upload(
                VersionedContent(other).content(2), ContentBench.options, report: log.report)
            #expect(log.restarts == [.sourceChanged] && log.warnings.isEmpty)
            #expect(second.count(.delete) == first.chunks.count)
            #expect(second.chunks.count == ContentBench.reachable(sent))
            try await ContentBench.arrives(sent, second, bench, other)
            #expect(try bench.journals == [sent.id])
        }
    }

    @Test("Sent in another way, a content is sent anew, and what was sent before is removed")
    func otherTerms() async throws {
        let changes: [(inout UploadOptions) -> Void] = [
            { $0.data = #"{"other":1}"# }, { $0.recipients = 2 }, { $0.redirect = .never },
            { $0.name = "other" },
        ]
        for change in changes {
            let bench = try TransferBench()
            let first = try await ContentBench.interrupted(bench, VersionedContent(ContentBench.bytes))
            let second = FakeRelays(after: first)
            var options = ContentBench.options
            change(&options)
            let log = EventLog()
            let sent = try await bench.transfers(second).upload(
                VersionedContent(ContentBench.bytes).content(), options, report: log.report)
            #expect(log.restarts == [.sourceChanged])
            #expect(second.chunks.count == ContentBench.reachable(sent))
            #expect(try bench.journals == [sent.id])
        }
    }

    @Test("Two contents do not know of each other, nor of a file")
    func separate() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays()
        let transfers = bench.transfers(relays)
        let file = try await transfers.uploadStandaloneFile(
            bench.file(ContentBench.bytes, "account.zip"), ContentBench.options)
        let source = VersionedContent(ContentBench.bytes)
        let first = try await transfers.upload(source.content(), ContentBench.options)
        let second = try await transfers.upload(source.content(id: "move:1:2"), ContentBench.options)
        #expect(Set([file.id, first.id, second.id]).count == 3)
        #expect(try await transfers.interruptedUploads().map(\.id) == [file.id])
        #expect(try await transfers.uploads(ofContent: "move:1:2").map(\.id) == [second.id])
        #expect(try await transfers.content(ofUpload: first.id) == "move:1:1")
        #expect(try await transfers.content(ofUpload: file.id) == nil)
        #expect(relays.count(.delete) == 0)
    }
}
