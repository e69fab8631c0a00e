import SystemPackage
import Testing
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

@Suite struct DividedFileTests {
    private static let content = TransferBench.bytes(600_000, seed: 5)

    /// Divides it into three parts of 256 KiB at most.
    private static func sent(_ bench: TransferBench) async throws -> (FakeRelays, UploadedFile) {
        let relays = FakeRelays()
        let log = EventLog()
        let sent = try await bench.transfers(relays) { $0.largestDescription = 262_144 }
            .uploadStandaloneFile(bench.file(content), .to(), report: log.report)
        #expect(log.warnings == [.divided(parts: 3)])
        #expect(sent.parts.map(\.name) == ["source.bin.001", "source.bin.002", "source.bin.003"])
        #expect(sent.parts.allSatisfy { $0.sender.size <= 262_144 })
        return (relays, sent)
    }

    @Test(
        "A file larger than one description may name is divided, and joined whatever the order of its links")
    func joined() async throws {
        let bench = try TransferBench()
        let (relays, sent) = try await Self.sent(bench)
        let references = try sent.references()
        for order in [[0, 1, 2], [2, 0, 1]] {
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                order.map { references[$0] }, to: .folder(bench.inbox), .all())
            #expect(try bench.holds(file.path, Self.content))
            #expect(file.path.lastComponent?.string == "source.bin")
            #expect(file.part == nil)
            try FileSystem().remove(file.path)
        }
    }

    @Test("Each part is an ordinary file, and the parts one after the other are the whole")
    func parts() async throws {
        let bench = try TransferBench()
        let (relays, sent) = try await Self.sent(bench)
        var whole: [UInt8] = []
        for (number, reference) in try sent.references().enumerated() {
            let log = EventLog()
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                [reference], to: .folder(bench.inbox), .all(), report: log.report)
            #expect(file.path.lastComponent?.string == "source.bin.00\(number + 1)")
            #expect(file.part?.part == number + 1 && file.part?.of == 3)
            #expect(log.warnings == [.onePart(number: number + 1, of: 3)])
            whole += try bench.contents(file.path)
        }
        let isIntact = whole == Self.content
        #expect(isIntact)
    }

    @Test("Missing, repeated and foreign parts do not make a file")
    func incomplete() async throws {
        let bench = try TransferBench()
        let (relays, sent) = try await Self.sent(bench)
        let references = try sent.references()
        let (_, foreign) = try await Self.sent(try TransferBench())
        #expect(try foreign.references()[0].description.digest != references[0].description.digest)
        for some in [
            [references[0], references[1]], [references[0], references[1], references[1]],
        ] {
            let before = relays.count(.download)
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    some, to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .invalidLink)
            // Told by the first chunk of each.
            #expect(relays.count(.download) - before == some.count)
            #expect(try bench.received.isEmpty)
        }
    }

    @Test("Killed in its second part, a divided download goes on")
    func resumed() async throws {
        let bench = try TransferBench()
        let (sent, uploaded) = try await Self.sent(bench)
        let references = try uploaded.references()
        let all = references.reduce(0) { $0 + $1.description.chunks.count }
        let first = FakeRelays(after: sent) { _, _, number in
            if number >= references[0].description.chunks.count + 1 { throw FakeRelays.Failure.killed }
        }
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
        }
        let second = FakeRelays(after: sent)
        let file = try await bench.transfers(second).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, Self.content))
        #expect(second.count(.download) <= all - references[0].description.chunks.count)
    }

    @Test("Divided and interrupted, an upload continues under the keys of its parts")
    func interruptedUpload() async throws {
        let bench = try TransferBench()
        let source = try bench.file(Self.content)
        let first = FakeRelays(before: { _, _, number in if number > 4 { throw FakeRelays.Failure.killed } })
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(first) { $0.largestDescription = 262_144 }.uploadStandaloneFile(
                source, .to())
        }
        let second = FakeRelays(after: first)
        let sent = try await bench.transfers(second) { $0.largestDescription = 262_144 }
            .uploadStandaloneFile(source, .to())
        #expect(second.chunks.allSatisfy { $0.arrivals == 1 })
        let file = try await bench.transfers(second).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, Self.content))
    }
}
