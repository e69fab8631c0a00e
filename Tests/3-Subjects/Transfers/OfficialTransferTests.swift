import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// Made by the official programs (simplexmq 6.5.5): Fixtures are copies of their files and of their relay's chunks.
@Suite struct OfficialTransferTests {
    @Test(
        "What the official command sent is received, by each description and by its link",
        arguments: [
            (0, "empty.bin"), (1, "one-byte.bin"), (100, "hundred.bin"), (65000, "f65000.bin"),
            (300000, "f300k.bin"),
        ])
    func command(size: Int, name: String) async throws {
        let official = OfficialTransfer.file(size)
        let bench = try TransferBench()
        let references = try [
            FileReference(official.description("rcv1.xftp")),
            FileReference(official.description("rcv2.xftp")),
            FileReference(link: official.text("rcv1.uri")),
        ]
        for (number, reference) in references.enumerated() {
            let relays = try official.relays([(reference.description, "chunks")])
            let file = try await bench.transfers(relays).downloadStandaloneFile(
                [reference], to: .folder(bench.inbox), .all())
            #expect(file.name == name)
            let taken = name.split(separator: ".")
            #expect(
                file.path.lastComponent?.string == (number == 0 ? name : "\(taken[0])_\(number).\(taken[1])"))
            #expect(try bench.holds(file.path, OfficialTransfer.plaintext(size)))
        }
    }

    @Test("What the official agent sent is received directly and through its redirect")
    func agent() async throws {
        let official = OfficialTransfer.agent
        let bench = try TransferBench()
        let direct = try official.description("rcv1.xftp")
        let outer = try FileReference(link: official.text("redirect.rcv1.uri"))
        let relays = try official.relays([(direct, "chunks"), (outer.description, "redirect-chunks")])
        let transfers = bench.transfers(relays)
        let file = try await transfers.downloadStandaloneFile(
            [FileReference(direct)], to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, OfficialTransfer.plaintext(300_000)))
        // Taken for a file, it is the description of the real one, for a recipient of its own.
        var plain = outer.description
        plain.redirect = nil
        let yaml = try await transfers.downloadStandaloneFile(
            [FileReference(plain)], to: .folder(bench.inbox), .all())
        #expect(yaml.name == "direct.yaml")
        let inner = try FileReference(file: yaml.path).description
        let all = try official.relays([(inner, "chunks"), (outer.description, "redirect-chunks")])
        let behind = try await bench.transfers(all).downloadStandaloneFile(
            [outer], to: .file(bench.inbox.appending("behind")), .all())
        #expect(try bench.holds(behind.path, OfficialTransfer.plaintext(300_000)))
        let info = FileTransfers.standaloneFileInfo(outer)
        #expect(info.isRedirect)
        #expect(info.size == 327_680)
        #expect(info.downloadSize == 65_536)
    }

    @Test("The description of an official sender deletes all chunks, and what is gone counts as done")
    func delete() async throws {
        let official = OfficialTransfer.file(300_000)
        let bench = try TransferBench()
        let report = try await bench.transfers(FakeRelays()).deleteStandaloneFile(
            official.description("snd.xftp.private"))
        #expect(report.goneCount == 2)
        #expect(report.isComplete)
    }
}
