import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

/// Agreement with Python: PyNaCl (or libsodium called from there) for the cipher, its own unpacking and escapes.
struct XFTPPeerTests {
    private static func ask(_ arguments: [String]) throws -> String {
        let outcome = try #require(OtherProgram("python3")).outcome(
            of: ["-B", Repository.beside("Support/peer.py").path] + arguments)
        try #require(outcome.status == 0, "the peer fails")
        return outcome.text
    }

    @Test(
        .enabled(if: OtherProgram.isThere("python3"), "needs python3"),
        arguments: [0, 1, 65_500, 65_540, 300_000])
    func `another implementation makes the same encrypted file`(size: Int) throws {
        var random = SeededGenerator(seed: TransferFixture.seed("peer") &+ UInt64(size))
        let content = TransferFixture.random(size, &random)
        let key = TransferFixture.random(32, &random)
        let nonce = TransferFixture.random(24, &random)
        let layout = try EncryptedFileLayout(fileSize: Int64(size), name: "Ünïcode.bin")
        let folder = try TemporaryFolder()
        let path = folder.appending("plain").string
        try Data(content).write(to: URL(filePath: path))
        let words = try Self.ask([
            "encrypt", Hexadecimal.encode(key), Hexadecimal.encode(nonce), layout.header.name,
            "\(layout.encryptedSize)",
            path,
        ]).split(whereSeparator: \.isWhitespace)
        try #require(words.count == 2)
        print("peer: \(words[0])")
        let ours = try TransferFixture.encrypt(content, layout, key: SecretSeed(copying: key), nonce: nonce)
        #expect(Hexadecimal.encode(ours.digest) == words[1])
    }

    @Test(.enabled(if: OtherProgram.isThere("python3"), "needs python3"))
    func `another implementation reads our links`() throws {
        let description = try TransferFixture.description("files/size-300000/rcv1.xftp")
        let data = "{\"a b\":[\"é+%&=\",1,null]}"
        let link = try FileLink(description, data: data)
        let answer = try Self.ask(["links", try link.appLink().text, try link.webLink().text])
        let object = try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        let yaml = try description.yaml().text
        #expect(object["app"] as? String == yaml)
        #expect(object["web"] as? String == yaml)
        let read = try #require(object["data"] as? [String: Any])
        #expect((read["a b"] as? [Any])?.first as? String == "é+%&=")
    }
}
