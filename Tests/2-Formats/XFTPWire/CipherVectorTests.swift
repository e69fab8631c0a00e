import Foundation
import TestPeers
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseMediaRules
import ValiseSecrets

@testable import ValiseCryptography
@testable import ValiseXFTPWire

struct CipherVectorTests {
    private static func seed(_ vector: [String: Any], _ key: String) throws -> SecretSeed {
        try SecretSeed(copying: vector.hex(key))
    }

    private static func stream(_ plain: [UInt8], _ vector: [String: Any]) throws -> [UInt8] {
        let stream = try SecretBoxStream()
        stream.start(key: try seed(vector, "key"), nonce: try vector.hex("nonce"))
        var bytes = plain
        bytes.withUnsafeMutableBytes { stream.exclusiveOr($0, at: 0) }
        bytes.withUnsafeBytes { stream.authenticate($0) }
        return bytes + stream.tag()
    }

    @Test func `every vector of the cipher: tag behind, tag before, and not what plain NaCl does`() throws {
        let vectors = try WireFixture.vectors("secretbox")
        #expect(vectors.count == 8)
        for vector in vectors {
            if let subkey = vector.optionalHex("subkey1_hsalsa20_key_zeros16") {
                #expect(SecretBox.hashedKey(try vector.hex("key")) == subkey)
                continue
            }
            let plain = try vector.hex("plaintext")
            let result = try Self.stream(plain, vector)
            let box = Array(result.suffix(16) + result.dropLast(16))
            if let expected = vector.optionalHex("out_ct_then_tag") { #expect(result == expected) }
            if let expected = vector.optionalHex("out_tag_then_ct") { #expect(box == expected) }
            if let expected = vector.optionalHex("simplex_box") {
                #expect(box == expected)
                #expect(box != vector.optionalHex("plain_nacl_secretbox"))
            }
        }
    }

    @Test func `every vector of the keys: agreement, and the text of private keys`() throws {
        for vector in try WireFixture.vectors("keys") {
            if let text = vector["private_b64url"] as? String, let seed = vector.optionalHex("seed") {
                let key = try Array(text.utf8).withUnsafeBytes { try PrivateKeyText.decode($0) }
                #expect(key.bytes == seed)
                #expect(Ed25519.publicKey(of: key) == (try vector.hex("public")))
                var encoded = [UInt8](repeating: 0, count: PrivateKeyText.byteCount)
                encoded.withUnsafeMutableBytes { PrivateKeyText.encode(key, into: $0) }
                #expect(encoded == Array(text.utf8))
            } else if let text = vector["private_b64url"] as? String {
                #expect(X25519.publicKey(of: try Self.seed(vector, "private")) == (try vector.hex("public")))
                let error = #expect(throws: XFTPWireError.self) {
                    try Array(text.utf8).withUnsafeBytes { try PrivateKeyText.decode($0) }
                }
                #expect(error?.code == .unsupported)
            } else if let authenticator = vector.optionalHex("authenticator") {
                let shared = try X25519.sharedSecret(
                    Self.seed(vector, "own_private"), with: vector.hex("peer_public"))
                let message = Array(try vector.text("message_utf8").utf8)
                let nonce = try vector.hex("nonce")
                #expect(CryptoBox.authenticator(of: message, secret: shared, nonce: nonce) == authenticator)
                #expect(CryptoBox.isAuthenticator(authenticator, of: message, secret: shared, nonce: nonce))
            }
        }
    }

    @Test func `every vector of the transfer, both ways`() throws {
        for vector in try WireFixture.vectors("transport-chunk") {
            guard let plain = vector.optionalHex("plaintext") else { continue }
            let secret = try Self.seed(vector, "dh_secret")
            let nonce = try vector.hex("cb_nonce")
            let encryptor = try TransferCipher.Encryptor(
                secret: secret, nonce: nonce, size: Int64(plain.count))
            var bytes = plain
            try bytes.withUnsafeMutableBytes { try encryptor.encrypt($0) }
            let sent = bytes + (try encryptor.finish())
            #expect(sent == (try vector.hex("wire_ct_then_tag")))
            let decryptor = try TransferCipher.Decryptor(
                secret: secret, nonce: nonce, size: Int64(plain.count))
            var received = sent
            let count = try received.withUnsafeMutableBytes { try decryptor.decrypt($0) }
            try decryptor.finish()
            #expect(Array(received[..<count]) == plain)
            #expect(digestText(plain) == (try vector.text("chunk_sha256")))
        }
    }

    // MARK: Whole files

    @Test func `every vector of the file encryption is read`() throws {
        for vector in try WireFixture.vectors("file-encryption") {
            let source = try Self.source(vector)
            let encrypted: [UInt8]
            if let bytes = vector.optionalHex("encrypted") {
                encrypted = bytes
            } else if vector["encrypted_file"] != nil {
                encrypted = Array(try Data(contentsOf: Repository.beside("Fixtures/wire/x.bin.enc")))
            } else {
                continue
            }
            let (header, content, digest) = try TransferFixture.decrypt(
                encrypted, key: Self.seed(vector, "key"), nonce: vector.hex("nonce"))
            #expect(header.name == (try vector.text("file_name")))
            #expect(header.extra == (vector["file_extra"] as? String).map { Array($0.utf8) })
            #expect(header.encoded == (try vector.hex("file_header")))
            #expect(content == source)
            #expect(Hexadecimal.encode(digest) == (try vector.text("sha512")))
        }
    }

    @Test func `the vectors with real chunks are made byte for byte`() throws {
        for vector in try WireFixture.vectors("file-encryption") {
            guard let sizes = vector["chunk_sizes"] as? [Int] else { continue }
            let source = try Self.source(vector)
            let layout = try EncryptedFileLayout(
                fileSize: Int64(source.count), name: vector.text("file_name"))
            #expect(layout.innerSize == vector["inner_size"] as? Int64 ?? -1)
            #expect(layout.chunks.map { Int($0.size.bytes) } == sizes)
            let (file, digest) = try TransferFixture.encrypt(
                source, layout, key: Self.seed(vector, "key"), nonce: vector.hex("nonce"))
            #expect(Hexadecimal.encode(digest) == (try vector.text("sha512")))
            #expect(digestText(file) == (try vector.text("sha256")))
            #expect(Hexadecimal.encode(Array(file.suffix(16))) == (try vector.text("auth_tag")))
            let digests = layout.chunks.map { chunk in
                digestText(Array(file[Int(chunk.offset)..<Int(chunk.offset + chunk.size.bytes)]))
            }
            #expect(digests == vector["chunk_digests_sha256"] as? [String])
        }
    }

    /// The second largest is described by its formula.
    private static func source(_ vector: [String: Any]) throws -> [UInt8] {
        if let bytes = vector.optionalHex("source") { return bytes }
        return (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * $0 + 11 * $0) }
    }
}
