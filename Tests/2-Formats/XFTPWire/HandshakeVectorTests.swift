import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// Fixtures/wire/handshake.json, both ways.
@Suite struct HandshakeVectorTests {
    @Test(arguments: TestIdentity.Kind.allCases)
    func `a relay's hello is the one of the vectors`(_ kind: TestIdentity.Kind) throws {
        var relay = try TestRelay(.native, kind)
        let block = try #require(relay.receive([]).answer)
        let vector = relay.identity.hello
        #expect(try digestText(block) == vector.text("block_sha256"))
        #expect(try XFTPBlock.unpad(block) == vector.hex("unpadded"))
        try compare(ServerHello(block: block), vector)
        #expect(try ServerHello(block: block).encodedBlock() == block)
    }

    @Test(arguments: TestIdentity.Kind.allCases)
    func `a relay's hello to a web page is the one of the vectors`(_ kind: TestIdentity.Kind) throws {
        var relay = try TestRelay(.web, kind)
        let vector = try WireFixture.vector("handshake", "server handshake, \(kind.rawValue), web")
        let challenge = try vector.hex("web_challenge")
        let block = try #require(
            relay.receive(WebHello(challenge: challenge).encodedBlock(), hello: true).answer)
        #expect(try digestText(block) == vector.text("block_sha256"))
        let hello = try ServerHello(block: block)
        try compare(hello, vector)
        #expect(
            relay.identity.leaf.verify(
                hello.webProof,
                of: ServerHello.signedBytes(challenge: challenge, sessionID: hello.sessionID)))
    }

    private func compare(_ hello: ServerHello, _ vector: [String: Any]) throws {
        #expect(hello.versions == 1...3)
        #expect(try hello.sessionID == vector.hex("session_id"))
        #expect(try hello.certificates == [vector.hex("leaf_der"), vector.hex("ca_der")])
        #expect(try hello.signedKey.der == vector.hex("signed_key_der"))
        #expect(try hello.signedKey.object == vector.hex("signed_key_object_der"))
        #expect(try hello.signedKey.signature == vector.hex("signed_key_signature"))
        #expect(try hello.signedKey.key.bytes == vector.hex("server_dh_public"))
        #expect(hello.webProof == vector.optionalHex("web_identity_proof") ?? [])
    }

    @Test(arguments: TestIdentity.Kind.allCases)
    func `a client takes the hello and answers as the vectors have it`(_ kind: TestIdentity.Kind) throws {
        var relay = try TestRelay(.native, kind)
        var client = relay.client()
        let answer = try client.receive(serverHello: #require(relay.receive([]).answer))
        let vector = try WireFixture.vector("handshake", "client handshake for \(kind.rawValue)")
        #expect(try XFTPBlock.unpad(answer) == vector.hex("unpadded"))
        #expect(try digestText(answer) == vector.text("block_sha256"))
        #expect(client.version == nil)
        #expect(try relay.receive(answer) == .respond([]))
        try client.receive(handshakeAnswer: [])
        #expect(client.version == 3 && relay.session.version == 3)
    }

    @Test func `a web page's hello is the one of the vectors`() throws {
        let vector = try WireFixture.vector("handshake", "client hello web")
        let hello = WebHello(challenge: try vector.hex("challenge"))
        #expect(try digestText(hello.encodedBlock()) == vector.text("block_sha256"))
        #expect(try WebHello(block: hello.encodedBlock()) == hello)
        let without = WebHello(challenge: nil)
        #expect(
            try XFTPBlock.unpad(without.encodedBlock())
                == WireFixture.vector("handshake", "web hello without").hex("unpadded"))
        #expect(try WebHello(block: without.encodedBlock()) == without)
    }

    @Test func `errors of the handshake are the blocks of the vectors`() throws {
        var native = try TestRelay()
        var web = try TestRelay(.web)
        let answers = try [("HANDSHAKE", native.receive(block("PING"))), ("SESSION", web.receive([]))]
        for (name, answer) in answers {
            let vector = try WireFixture.vector("handshake", "handshake error block: \(name)")
            #expect(try digestText(#require(answer.answer)) == vector.text("block_sha256"))
        }
    }

    @Test(arguments: TestIdentity.Kind.allCases)
    func `a signed key is read whole or not at all (trap 5)`(_ kind: TestIdentity.Kind) throws {
        let der = try TestIdentity(kind).hello.hex("signed_key_der")
        let key = try SignedKey(der: der)
        #expect(key.der == der)
        // Without the SEQUENCE around the key, with the lengths that belong to it.
        let outer = kind == .ed25519 ? 2 : 3
        let inner = Array(der[(outer + 2)...])
        let flat = (kind == .ed25519 ? [0x30] : [0x30, 0x81]) + [UInt8(inner.count)] + inner
        var wrong = [[], flat, der + [0], Array(der.dropLast())]
        for place in Array(0..<outer + 14) + Array(outer + 46..<outer + 56) {
            var other = der
            other[place] ^= 1
            wrong.append(other)
        }
        for der in wrong { #expect(throws: XFTPWireError.self) { try SignedKey(der: der) } }
    }

    @Test func `a relay's identity is two certificates and the key of the first (trap 6)`() throws {
        let (one, other) = (try TestIdentity(.ed25519), try TestIdentity(.ed448))
        let key = try SigningKey.generate(.ed25519)
        let ca = try Certificate(der: one.hello.hex("ca_der"))
        #expect(throws: XFTPWireError.self) { try RelayIdentity([one.leaf, ca], key: key) }
        for chain in [[], [one.leaf], [one.leaf, ca, other.leaf]] {
            #expect(throws: XFTPWireError.self) { try RelayIdentity(chain, key: key) }
        }
    }
}
