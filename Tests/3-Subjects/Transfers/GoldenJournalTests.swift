import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// Journals as the format page has them, not written by the code that reads them here.
@Suite struct GoldenJournalTests {
    /// Of a content with two recipients, interrupted before a relay knew of it.
    private static let content = """
        dmFsaXNlIHRyYW5zZmVyIDEKAAAAWQIAAAAAAAAAAAAAAAAAAAAADgAKZ29sZGVuLmJpbgAAAQIDBAUGBwgJCgsMDQ4PEBESExQV
        FhcYGRobHB0eHwAYZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7ollk8OCHQ0IAAABnCQAAAABrAxFZAAhnb2xkZW46MQAgyMnKy8zN
        zs/Q0dLT1NXW19jZ2tvc3d7f4OHi4+Tl5ucAAAAAAAAADgAKZ29sZGVuLmJpbgAAAAIABmFsd2F5cwEAD3siZ29sZGVuIjp0cnVl
        fVuN1nVhIjh/
        """
    private static let created: Int64 = 1_795_363_161

    private static func contentJournal() throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: content, options: .ignoreUnknownCharacters)))
    }

    private static func put(_ journal: [UInt8], _ bench: TransferBench) throws {
        let folder = bench.states.appending("upload-golden")
        try FileSystem().makeDirectories(folder)
        try FileSystem().replace(folder.appending("journal"), with: journal)
    }

    @Test("A complete upload of a file that an earlier release kept has the links that it had")
    func file() async throws {
        let bench = try TransferBench()
        let fixtures = FilePath(Repository.beside("Fixtures/upload-journal").path)
        try Self.put(bench.contents(fixtures.appending("journal")), bench)
        let relays = FakeRelays()
        let transfers = bench.transfers(relays)
        let listed = try await transfers.interruptedUploads()
        #expect(listed.map(\.path) == ["/tmp/golden/source.bin"])
        #expect(listed.map(\.isComplete) == [true] && listed.map(\.created) == [Self.created])
        let file = try #require(try await transfers.uploadedFile("upload-golden"))
        #expect(file.name == "source.bin" && file.size == 14 && file.links.count == 2)
        for (number, links) in file.links.enumerated() {
            let text = try String(
                contentsOfFile: fixtures.appending("rcv\(number + 1).uri").string, encoding: .utf8)
            let link = try #require(links.first)
            let isSame = try link.appLink().withBytes { text == String(decoding: $0, as: UTF8.self) + "\n" }
            #expect(links.count == 1 && isSame)
        }
        #expect(relays.operations == 0)
    }

    @Test("An interrupted upload of a content goes on under the key that it had")
    func interruptedContent() async throws {
        let bench = try TransferBench()
        try Self.put(try Self.contentJournal(), bench)
        let relays = FakeRelays()
        let transfers = bench.transfers(relays) { $0.now = { Self.created + 60 } }
        let listed = try await transfers.uploads(ofContent: "golden:1")
        #expect(listed.map(\.id) == ["upload-golden"] && listed.map(\.created) == [Self.created])
        #expect(listed.map(\.path) == ["golden.bin"] && listed.map(\.recipients) == [2])
        let source = VersionedContent(Array("golden content".utf8))
        let content = UploadContent(
            id: "golden:1", name: "golden.bin", source: source, version: Array(200..<232),
            checkUnchanged: source.check)
        let log = EventLog()
        let sent = try await transfers.upload(
            content,
            .to {
                $0.redirect = .always
                $0.recipients = 2
                $0.data = #"{"golden":true}"#
            }, report: log.report)
        #expect(log.restarts.isEmpty && log.resumed == [0])
        #expect(sent.id == "upload-golden" && sent.created == Self.created)
        let sender = try #require(sent.parts.first?.sender)
        #expect(sender.nonce == Array(100..<124))
        #expect(sender.key.withBytes { $0.elementsEqual(0..<32) })
    }

    @Test("A content's journal begins as the format page has it")
    func written() async throws {
        let bench = try TransferBench()
        let relays = FakeRelays(before: { _, _, _ in throw FakeRelays.Failure.killed })
        let source = VersionedContent(Array("golden content".utf8))
        let content = UploadContent(
            id: "golden:1", name: "golden.bin", source: source, version: Array(200..<232),
            checkUnchanged: source.check)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(relays) { $0.now = { Self.created } }.upload(
                content,
                .to {
                    $0.redirect = .always
                    $0.recipients = 2
                    $0.data = #"{"golden":true}"#
                })
        }
        let id = try #require(try bench.journals.first)
        let written = try bench.contents(bench.states.appending(id).appending("journal"))
        let golden = try Self.contentJournal()
        // Before it is the file's record with a key of its own, as long as the golden one.
        let request = 18 + 4 + 89 + 8
        #expect(written.count == golden.count)
        #expect(Array(written.dropFirst(request)) == Array(golden.dropFirst(request)))
    }
}
