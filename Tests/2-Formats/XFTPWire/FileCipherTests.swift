import FaultInjection
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseMediaRules
import ValiseSecrets

@testable import ValiseXFTPWire

struct FileCipherTests {
    @Test(arguments: [
        ("size-0", 0, "empty.bin"), ("size-1", 1, "one-byte.bin"), ("size-100", 100, "hundred.bin"),
        ("size-65000", 65_000, "f65000.bin"), ("size-300000", 300_000, "f300k.bin"),
    ])
    func `the chunks of the official client become its files`(folder: String, size: Int, name: String) throws
    {
        let description = try TransferFixture.description("files/\(folder)/snd.xftp.private")
        let file = try TransferFixture.encryptedFile(description, in: "files/\(folder)/chunks")
        for (chunk, place) in zip(
            description.chunks, try EncryptedFileLayout(fileSize: Int64(size), name: name).chunks)
        {
            #expect(chunk.size == place.size.bytes)
            #expect(
                SHA256.hash(Array(file[Int(place.offset)..<Int(place.offset + chunk.size)])) == chunk.digest)
        }
        let (header, content, digest) = try TransferFixture.decrypt(
            file, key: description.key, nonce: description.nonce)
        #expect(header == (try FileHeader(name: name)))
        #expect(content == TransferFixture.plaintext(size))
        #expect(digest == description.digest)
    }

    @Test(arguments: [
        ("size-0", 0, "empty.bin"), ("size-1", 1, "one-byte.bin"), ("size-100", 100, "hundred.bin"),
        ("size-65000", 65_000, "f65000.bin"), ("size-300000", 300_000, "f300k.bin"),
    ])
    func `our encryption under its keys gives the chunks of the official client`(
        folder: String, size: Int, name: String
    ) throws {
        let description = try TransferFixture.description("files/\(folder)/snd.xftp.private")
        let layout = try EncryptedFileLayout(fileSize: Int64(size), name: name)
        let (file, digest) = try TransferFixture.encrypt(
            TransferFixture.plaintext(size), layout, key: description.key, nonce: description.nonce)
        #expect(file == (try TransferFixture.encryptedFile(description, in: "files/\(folder)/chunks")))
        #expect(digest == description.digest)
    }

    @Test func `the official app's redirect leads to the official app's file`() throws {
        let outer = try TransferFixture.description("agent-transfer/redirect.snd.xftp.private")
        let outerFile = try TransferFixture.encryptedFile(outer, in: "agent-transfer/redirect-chunks")
        let (header, yaml, _) = try TransferFixture.decrypt(outerFile, key: outer.key, nonce: outer.nonce)
        #expect(header.name == RedirectRules.fileName)
        #expect(yaml == (try TransferFixture.bytes("agent-transfer/rcv2.xftp")))
        let inner = try FileDescription(yaml: yaml)
        try inner.checkAgreement(
            with: try #require(TransferFixture.description("agent-transfer/redirect.rcv1.xftp").redirect))
        // The names of chunks on the relay are those of the sender.
        let sender = try TransferFixture.description("agent-transfer/snd.xftp.private")
        let file = try TransferFixture.encryptedFile(sender, in: "agent-transfer/chunks")
        let (name, content, digest) = try TransferFixture.decrypt(file, key: inner.key, nonce: inner.nonce)
        #expect(name.name == "agent-file.bin")
        #expect(content == TransferFixture.plaintext(300_000))
        #expect(digest == inner.digest)
        let one = try EncryptedFileLayout.oneChunk(fileSize: Int64(yaml.count), name: RedirectRules.fileName)
        #expect(one.chunks.count == 1)
        #expect(try TransferFixture.encrypt(yaml, one, key: outer.key, nonce: outer.nonce).bytes == outerFile)
    }
}
