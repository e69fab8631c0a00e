import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

/// Fixtures/wire/keys.json.
@Suite struct PublicKeyTests {
    @Test(arguments: [
        ("ed25519 from seed", PublicKey.Algorithm.ed25519), ("x25519 key A", .x25519),
        ("x25519 key B", .x25519),
    ])
    func `a key is written as the vectors have it`(_ name: String, _ algorithm: PublicKey.Algorithm) throws {
        let vector = try WireFixture.vector("keys", name)
        let key = PublicKey(algorithm, try vector.hex("public"))
        #expect(try key.spki == vector.hex("public_spki_der"))
        #expect(try Base64URL.encode(key.spki) == vector.text("public_b64url"))
        #expect(try PublicKey(spki: key.spki) == key)
        let seed = try SecretSeed(copying: vector.optionalHex("seed") ?? vector.hex("private"))
        #expect(
            (algorithm == .x25519 ? X25519.publicKey(of: seed) : Ed25519.publicKey(of: seed)) == key.bytes)
    }

    @Test(arguments: [
        ("dummy Ed25519", PublicKey.Algorithm.ed25519), ("dummy Ed448", .ed448), ("dummy X25519", .x25519),
    ])
    func `the keys for unknown names are those of the official relay`(
        _ name: String, _ algorithm: PublicKey.Algorithm
    ) throws {
        let vector = try WireFixture.vector("keys", name)
        #expect(try CommandAuthenticator.dummy(algorithm).spki == vector.hex("spki_der"))
        #expect(try PublicKey(spki: vector.hex("spki_der")).algorithm == algorithm)
    }

    @Test func `a signature is the one of the vectors`() throws {
        let vector = try WireFixture.vector("keys", "ed25519 signature")
        let seed = try SecretSeed(copying: vector.hex("seed"))
        #expect(
            try Ed25519.sign(Array(vector.text("message_utf8").utf8), with: seed) == vector.hex("signature"))
    }

    @Test func `an authenticator of X25519 is the one of the vectors, its tag first (trap 7)`() throws {
        let vector = try WireFixture.vector("keys", "cbAuthenticator")
        let own = try SecretSeed(copying: vector.hex("own_private"))
        let secret = try X25519.sharedSecret(own, with: vector.hex("peer_public"))
        let message = try Array(vector.text("message_utf8").utf8)
        #expect(
            try CryptoBox.authenticator(of: message, secret: secret, nonce: vector.hex("nonce"))
                == vector.hex("authenticator"))
    }

    @Test func `anything but a whole key of a known kind is refused`() throws {
        let spki = try WireFixture.vector("keys", "ed25519 from seed").hex("public_spki_der")
        var wrong = [[], Array(spki.dropLast()), spki + [0], Array(spki.dropFirst())]
        // Each byte in front of the key matters.
        for place in 0..<12 {
            var other = spki
            other[place] ^= 0x80
            wrong.append(other)
        }
        // X448 of 56 bytes, which no relay takes.
        wrong.append(hex("3042300506032b656f033900") + [UInt8](repeating: 1, count: 56))
        for spki in wrong { #expect(throws: XFTPWireError.self) { try PublicKey(spki: spki) } }
    }
}
