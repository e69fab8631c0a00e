import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

@testable import ValiseXFTPWire

/// The name of a chunk's file on the official relay.
enum Base64URLName {
    static func of(_ id: EntityID) -> String { Base64URL.encode(id.bytes) }
}

struct DescriptionTests {
    /// The vector that comes from the official tests abbreviates digests and fingerprints to three characters: no
    /// description of a file has such. They are put to their length here.
    static func lengthened(_ yaml: String) -> String {
        yaml.replacing(
            "digest: YWJj\n", with: "digest: \(Base64URL.encode([UInt8](repeating: 0x61, count: 64)))\n"
        )
        .replacing(":Z2hp", with: ":" + Base64URL.encode([UInt8](repeating: 0x67, count: 32)))
        .replacing("abc=", with: Base64URL.encode([UInt8](repeating: 0x69, count: 32)))
    }

    static func yamls() throws -> [String] {
        try WireFixture.vectors("file-description").compactMap { $0["yaml"] as? String }.map(lengthened)
    }

    @Test func `every vector is read and written byte for byte`() throws {
        let yamls = try Self.yamls()
        #expect(yamls.count == 5)
        for yaml in yamls {
            let description = try FileDescription(yaml: Array(yaml.utf8))
            #expect(try description.yamlOfAnyChunkSize().text == yaml)
        }
    }

    @Test func `the abbreviated fixture of the official tests is refused as it stands`() throws {
        let yaml = try WireFixture.vector("file-description", "upstream fixture").text("yaml")
        #expect(throws: XFTPWireError.self) { try FileDescription(yaml: Array(yaml.utf8)) }
    }

    @Test func `the values of the official fixture are told`() throws {
        let vector = try WireFixture.vector("file-description", "upstream fixture")
        let parsed = try vector.object("parsed")
        let description = try FileDescription(yaml: Array(Self.lengthened(vector.text("yaml")).utf8))
        #expect(description.party.rawValue == (try parsed.text("party")))
        #expect(Int(description.size) == parsed["size"] as? Int)
        #expect(Int(description.chunkSize) == parsed["chunkSize"] as? Int)
        #expect(description.chunks.count == parsed["chunks"] as? Int)
        #expect(Int(description.chunks[3].size) == parsed["chunk4_size"] as? Int)
        let seed = try parsed.hex("replica_key_ed25519_seed")
        let servers = try parsed.object("chunk_servers")
        for chunk in description.chunks {
            #expect(chunk.replicas.count == parsed["replicas_per_chunk"] as? Int)
            #expect(chunk.replicas.map { $0.server.hosts[0].text } == servers["\(chunk.number)"] as? [String])
            #expect(chunk.replicas.allSatisfy { $0.key.bytes == seed && $0.id.bytes == Array("abc".utf8) })
        }
        // Its chunks have 8 MiB, which no relay takes.
        #expect(throws: XFTPWireError.self) { _ = try description.yaml() }
    }

    @Test(arguments: ["size-0", "size-1", "size-100", "size-65000", "size-300000"])
    func `the descriptions of the official client come back byte for byte`(folder: String) throws {
        for name in ["rcv1.xftp", "rcv2.xftp", "snd.xftp.private"] {
            let yaml = try TransferFixture.text("files/\(folder)/\(name)")
            let description = try FileDescription(yaml: Array(yaml.utf8))
            #expect(try description.yaml().text == yaml)
            #expect(description.party == (name.hasPrefix("rcv") ? .recipient : .sender))
        }
    }

    @Test(arguments: [
        "rcv1.xftp", "rcv2.xftp", "snd.xftp.private", "redirect.rcv1.xftp", "redirect.snd.xftp.private",
    ])
    func `the descriptions of the official app come back byte for byte`(name: String) throws {
        let yaml = try TransferFixture.text("agent-transfer/\(name)")
        #expect(try FileDescription(yaml: Array(yaml.utf8)).yaml().text == yaml)
    }

    @Test func `the official app's redirect agrees with what is behind it, and with nothing else`() throws {
        let outer = try TransferFixture.description("agent-transfer/redirect.rcv1.xftp")
        let inner = try TransferFixture.description("agent-transfer/rcv1.xftp")
        let redirect = try #require(outer.redirect)
        try inner.checkAgreement(with: redirect)
        #expect(throws: XFTPWireError.self) {
            try inner.checkAgreement(with: .init(size: redirect.size + 1, digest: redirect.digest))
        }
        #expect(throws: XFTPWireError.self) {
            try inner.checkAgreement(with: .init(size: redirect.size, digest: redirect.digest.reversed()))
        }
        #expect(throws: XFTPWireError.self) { try outer.checkAgreement(with: outer.redirectHere) }
        let sender = try TransferFixture.description("agent-transfer/snd.xftp.private")
        #expect(throws: XFTPWireError.self) { try sender.checkAgreement(with: redirect) }
    }

    @Test func `a description is refused where the other party's is needed`() throws {
        let sender = try TransferFixture.description("agent-transfer/snd.xftp.private")
        try sender.check(isFor: .sender)
        #expect(throws: XFTPWireError.self) { try sender.check(isFor: .recipient) }
    }

    @Test(arguments: [
        (500, "500"), (1024, "1kb"), (2048, "2kb"), (1_048_576, "1mb"), (8_388_608, "8mb"),
        (1_073_741_824, "1gb"),
        (27_262_976, "26mb"), (1_048_577, "1048577"), (1, "1"),
    ])
    func `sizes are written and read`(size: Int64, text: String) {
        #expect(SizeText.encode(size) == text)
        #expect(SizeText.decode(text) == size)
    }

    @Test func `the sizes of the vectors are written`() throws {
        for vector in try WireFixture.vectors("chunk-sizes") {
            guard let size = vector["file_size"] as? Int else { continue }
            #expect(SizeText.encode(Int64(size)) == (try vector.text("text")))
        }
    }

    @Test(arguments: [
        "", "kb", "-1", "+1", "1 kb", "1KB", "1.5kb", "9223372036854775807kb", "99999999999999999999", "٣",
    ])
    func `what is no size is refused`(text: String) {
        #expect(SizeText.decode(text) == nil)
    }
}
