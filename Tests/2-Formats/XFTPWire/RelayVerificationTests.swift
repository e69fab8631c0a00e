import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// Whose command is taken (§4.4).
@Suite struct RelayVerificationTests {
    /// A request to delete, authorized by `authorize`.
    private func request(
        _ relay: inout TestRelay, correlation: [UInt8] = [], _ authorize: ([UInt8]) throws -> [UInt8]
    ) throws -> AuthorizedRequest {
        var transmission = try Transmission(
            sessionID: TestRelay.sessionID, correlationID: correlation, entityID: [1, 2],
            payload: XFTPCommand.delete.encoded)
        transmission.authenticator = try authorize(transmission.authorized)
        return try #require(relay.receive(transmission.encodedBlock()).request)
    }

    @Test func `a key of Ed25519 authorizes what it signed, and nothing else`() throws {
        var relay = try TestRelay.accepted()
        let seed = try TestKeys.seed(from: 1)
        let key = try TestKeys.signing(from: 1)
        let signed = try request(&relay) { Ed25519.sign($0, with: seed) }
        #expect(relay.session.verify(signed, key: key))
        #expect(!relay.session.verify(signed, key: try TestKeys.signing(from: 2)))
        let other = try request(&relay) { Ed25519.sign($0 + [0], with: seed) }
        #expect(!relay.session.verify(other, key: key))
        let unsession = try request(&relay) { Ed25519.sign(Array($0.dropFirst(33)), with: seed) }
        #expect(!relay.session.verify(unsession, key: key))
    }

    @Test func `a key of Ed448 authorizes what it signed, and nothing else (trap 1)`() throws {
        var relay = try TestRelay.accepted()
        let own = try SigningKey.generate(.ed448)
        let key = PublicKey(.ed448, own.publicBytes)
        let signed = try request(&relay) { try own.sign($0) }
        #expect(relay.session.verify(signed, key: key))
        #expect(!relay.session.verify(signed, key: CommandAuthenticator.dummy(.ed448)))
        let other = try request(&relay) { try own.sign($0 + [0]) }
        #expect(!relay.session.verify(other, key: key))
    }

    @Test(arguments: [0, 5, 24, 40])
    func `12a: a key of X25519 authorizes by the key of the handshake, for correlations of any length`(
        _ count: Int
    ) throws {
        let own = try TestKeys.seed(from: 0x51)
        let key = try TestKeys.agreement(from: 0x51)
        for mode in [RelaySession.Mode.native, .web] {
            var relay = try TestRelay.accepted(mode)
            let session = try relay.identity.hello.hex("server_dh_public")
            let secret = try X25519.sharedSecret(own, with: session)
            let correlation = [UInt8](repeating: 9, count: count)
            // Cut or filled with zeros by hand.
            let nonce = Array((correlation + [UInt8](repeating: 0, count: 24)).prefix(24))
            let boxed = try request(&relay, correlation: correlation) {
                CryptoBox.authenticator(of: $0, secret: secret, nonce: nonce)
            }
            #expect(boxed.authenticator.count == 80)
            #expect(relay.session.verify(boxed, key: key))
            #expect(!relay.session.verify(boxed, key: try TestKeys.agreement(from: 0x52)))
            let other = try request(&relay, correlation: correlation) {
                CryptoBox.authenticator(of: $0 + [0], secret: secret, nonce: nonce)
            }
            #expect(!relay.session.verify(other, key: key))
        }
    }

    @Test func `without a handshake there is no key for an authenticator of X25519`() throws {
        var relay = try TestRelay(.legacy)
        let boxed = try request(&relay) { _ in [UInt8](repeating: 0, count: 80) }
        #expect(!relay.session.verify(boxed, key: try TestKeys.agreement(from: 1)))
        let seed = try TestKeys.seed(from: 1)
        let signed = try request(&relay) { Ed25519.sign($0, with: seed) }
        #expect(relay.session.verify(signed, key: try TestKeys.signing(from: 1)))
    }

    @Test func `12a: an authenticator of another kind than the key is refused`() throws {
        var relay = try TestRelay.accepted()
        for count in [64, 80, 114] {
            let signed = try request(&relay) { _ in [UInt8](repeating: 1, count: count) }
            for algorithm in PublicKey.Algorithm.allCases {
                #expect(!relay.session.verify(signed, key: CommandAuthenticator.dummy(algorithm)))
            }
        }
    }

    @Test func `an unknown name is refused whatever the authenticator is (trap 13)`() throws {
        var relay = try TestRelay.accepted()
        for count in [64, 80, 114] {
            let signed = try request(&relay) { _ in [UInt8](repeating: 1, count: count) }
            #expect(!relay.session.verify(signed, key: nil))
        }
        let ping = try #require(relay.receive(block("PING")).request)
        #expect(!relay.session.verify(ping, key: nil))
    }

    /// What a stranger measures: a relay that looks up a name that there is not must take as long as for one that there is.
    @Test func `an unknown name takes as long as a known one (trap 13)`() throws {
        var relay = try TestRelay.accepted()
        let key = try TestKeys.signing(from: 1)
        let stranger = try TestKeys.seed(from: 2)
        let signed = try request(&relay) { Ed25519.sign($0, with: stranger) }
        let session = relay.session
        func time(_ key: PublicKey?) -> Duration {
            let clock = ContinuousClock()
            // The least of some rounds: whatever else the machine does only adds.
            return (0..<20).map { _ in
                clock.measure {
                    for _ in 0..<20 where session.verify(signed, key: key) { Issue.record("taken") }
                }
            }.min() ?? .zero
        }
        let (known, unknown) = (time(key), time(nil))
        // Without a verification it would be a hundredth.
        #expect(unknown > known / 4 && known > unknown / 4, "\(known) and \(unknown)")
    }

    @Test func `a new chunk is authorized by its own sender key (trap 12)`() throws {
        var relay = try TestRelay.accepted()
        let chunk = NewChunk(
            senderKey: try TestKeys.signing(from: 1), size: 65_536, digest: [],
            recipientKeys: [try TestKeys.signing(from: 2)])
        var client = relay.client()
        var fresh = try TestRelay()
        _ = try client.receive(serverHello: #require(fresh.receive([]).answer))
        try client.receive(handshakeAnswer: [])
        let own = try client.encode(.create(chunk), key: TestKeys.seed(from: 1))
        let request = try #require(relay.receive(own).request)
        #expect(request.command == .create(chunk) && request.entityID == nil)
        #expect(relay.session.verify(request, key: chunk.senderKey))
        let foreign = try client.encode(.create(chunk), key: TestKeys.seed(from: 2))
        #expect(!relay.session.verify(try #require(relay.receive(foreign).request), key: chunk.senderKey))
    }
}
