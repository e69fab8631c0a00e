import Testing
import ValiseCryptography
import ValiseFailures
import ValiseSecrets

@testable import ValiseXFTPWire

/// What a client does not take from a relay: as strict as the official one (§12a), which each name says.
@Suite struct ClientStrictnessTests {
    /// The hello of a relay, changed, and what a client says about it.
    private func failure(_ change: (inout ServerHello) throws -> Void) throws -> FailureCode? {
        var relay = try TestRelay()
        var hello = try ServerHello(block: #require(relay.receive([]).answer))
        try change(&hello)
        return try failure(hello.encodedBlock(), relay.client())
    }

    private func failure(_ block: [UInt8], _ client: ClientSession) -> FailureCode? {
        var client = client
        do {
            _ = try client.receive(serverHello: block)
            return nil
        } catch {
            return (error as? any Failure)?.code
        }
    }

    /// A message in place of a hello.
    private func failure(message: [UInt8]) throws -> FailureCode? {
        try failure(XFTPBlock.pad(message), TestRelay().client())
    }

    private func hello() throws -> [UInt8] { try TestIdentity().hello.hex("unpadded") }

    @Test func `12a: another session than that of TLS is refused`() throws {
        #expect(try failure { $0.sessionID[0] ^= 1 } == .denied)
        #expect(try failure { $0.sessionID = [] } == .denied)
        #expect(try failure { _ in } == nil)
    }

    @Test func `12a: one certificate or three are refused`() throws {
        #expect(try failure { $0.certificates.removeLast() } == .denied)
        #expect(try failure { $0.certificates.append($0.certificates[1]) } == .denied)
        #expect(try failure { $0.certificates.swapAt(0, 1) } == .denied)
    }

    @Test func `12a: an identity that is not the address's is refused`() throws {
        let stranger = try TestIdentity(.ed448).hello.hex("ca_der")
        #expect(try failure { $0.certificates[1] = stranger } == .denied)
    }

    @Test func `12a: a wrong signature is refused`() throws {
        #expect(
            try failure { hello in
                var signature = hello.signedKey.signature
                signature[10] ^= 1
                hello.signedKey = try SignedKey(signing: hello.signedKey.key, .ed25519) { _ in signature }
            } == .denied)
    }

    @Test func `the signature is checked with the certificate of TLS, not that of the hello (trap 6)`() throws
    {
        let (mine, other) = (try TestIdentity(), try TestIdentity(.ed448))
        var relay = try TestRelay()
        let block = try #require(relay.receive([]).answer)
        let client = ClientSession(
            sessionID: TestRelay.sessionID, fingerprint: mine.relay.fingerprint, leaf: other.leaf.der)
        #expect(failure(block, client) == .denied)
    }

    @Test func `12a: a signed key without the outer SEQUENCE is refused (trap 5)`() throws {
        let vector = try TestIdentity().hello
        let der = try vector.hex("signed_key_der")
        let flat = [0x30, UInt8(der.count - 4)] + der[4...]
        var message = try hello()
        // Behind the certificates: a length of two bytes, the key, then one byte for no proof.
        message.removeLast(der.count + 3)
        try message.append(long: flat)
        #expect(try failure(message: message + [0]) == .damaged)
    }

    @Test func `12a: no common version is refused, and a newer relay told`() throws {
        #expect(try failure { $0.versions = 4...9 } == .newer)
        #expect(try failure { $0.versions = 0...0 } == .unsupported)
    }

    @Test func `12a: a maximum version of 9 is accepted, and the best common one taken`() throws {
        for (versions, best): (ClosedRange<UInt16>, UInt16) in [
            (1...9, 3), (0...1, 1), (2...2, 2), (3...65_535, 3),
        ] {
            var relay = try TestRelay()
            var hello = try ServerHello(block: #require(relay.receive([]).answer))
            hello.versions = versions
            var client = relay.client()
            let answer = try client.receive(serverHello: hello.encodedBlock())
            #expect(try ClientHandshake(block: answer).version == best)
        }
        var message = try hello()
        message.replaceSubrange(0..<4, with: [0, 3, 0, 1])
        #expect(try failure(message: message) == .damaged)
    }

    @Test func `12a: a missing field for the proof and bytes behind it are accepted (trap 17)`() throws {
        #expect(try failure(message: Array(hello().dropLast())) == nil)
        #expect(try failure(message: hello() + [1, 2, 3]) == nil)
        #expect(try failure(message: Array(hello().dropLast()) + [64, 1, 2]) == .damaged)
    }

    @Test func `a hello that ends early is refused at every length`() throws {
        let whole = try hello()
        let client = try TestRelay().client()
        for count in 0..<whole.count - 1 {
            let block = try XFTPBlock.pad(Array(whole.prefix(count)))
            #expect(failure(block, client) == .damaged, "\(count)")
        }
        #expect(failure([], client) == .damaged)
    }

    @Test func `a relay that refuses is quoted`() throws {
        for word in ["HANDSHAKE", "SESSION"] { #expect(try failure(message: Array(word.utf8)) == .failed) }
    }

    @Test func `12a: an answer with a body to the client's handshake is refused`() throws {
        for body in [try XFTPBlock.pad(Array("HANDSHAKE".utf8)), [0], try block("OK")] {
            var relay = try TestRelay()
            var client = relay.client()
            _ = try client.receive(serverHello: #require(relay.receive([]).answer))
            #expect(throws: XFTPWireError.self) { try client.receive(handshakeAnswer: body) }
            #expect(client.version == nil)
            #expect(throws: XFTPWireError.self) { try client.encode(.ping) }
        }
    }

    @Test func `the steps of the handshake come once and in order`() throws {
        var relay = try TestRelay()
        var client = relay.client()
        #expect(throws: XFTPWireError.self) { try client.receive(handshakeAnswer: []) }
        let hello = try #require(relay.receive([]).answer)
        _ = try client.receive(serverHello: hello)
        #expect(throws: XFTPWireError.self) { try client.receive(serverHello: hello) }
        try client.receive(handshakeAnswer: [])
        #expect(throws: XFTPWireError.self) { try client.receive(handshakeAnswer: []) }
        #expect(try Transmission(block: client.encode(.ping)).authenticator == [])
    }

    // MARK: Answers

    private func decode(
        _ response: XFTPResponse, entity: [UInt8] = [], session: [UInt8] = TestRelay.sessionID,
        authenticator: [UInt8] = []
    ) throws -> XFTPResponse {
        let answer = try block(
            response.encoded, session: session, entity: entity, authenticator: authenticator)
        return try ClientSession(withoutHandshake: TestRelay.sessionID).decode(answer)
    }

    @Test func `12a: SIDS and PONG come without a name, RIDS, FILE and OK with one, ERR either way (trap 9)`()
        throws
    {
        let id = try #require(EntityID([1]))
        let nameless: [XFTPResponse] = [.created(sender: id, recipients: [id]), .pong]
        let named: [XFTPResponse] = [
            .recipientsAdded([id]), .file(try TestKeys.agreement(from: 1), nonce: Array(0..<24)), .done,
        ]
        for response in nameless {
            #expect(try decode(response) == response)
            #expect(throws: XFTPWireError.self) { try decode(response, entity: [1]) }
        }
        for response in named {
            #expect(try decode(response, entity: [1]) == response)
            #expect(throws: XFTPWireError.self) { try decode(response) }
        }
        #expect(try decode(.error(.auth)) == .error(.auth))
        #expect(try decode(.error(.auth), entity: [7]) == .error(.auth))
    }

    @Test func `an answer of another session or with a signature is refused`() {
        #expect(throws: XFTPWireError.self) { try decode(.pong, session: [1]) }
        #expect(throws: XFTPWireError.self) {
            try decode(.pong, authenticator: [UInt8](repeating: 0, count: 64))
        }
    }

    @Test func `a connection without a handshake speaks version 1`() throws {
        let client = ClientSession(withoutHandshake: TestRelay.sessionID)
        #expect(client.version == 1)
        #expect(try client.encode(.ping) == block("PING"))
    }
}
