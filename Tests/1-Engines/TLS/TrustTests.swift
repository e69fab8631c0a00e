import NIOCore
import Testing
import ValiseCryptography
import ValiseTLS

struct TrustTests {
    private func connect(_ client: TLSClientSettings, _ server: TLSServerSettings) throws -> TLSPair {
        let pair = try TLSPair(client, server)
        try pair.client.write("secret")
        try pair.connect()
        #expect(pair.server.events.received.readableBytes == 0, "nothing goes to a stranger")
        #expect(pair.client.events.completed == nil && pair.server.events.completed == nil)
        #expect(pair.client.events.inactive && pair.server.events.inactive)
        return pair
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a relay of another fingerprint is not trusted`(algorithm: SigningAlgorithm) throws {
        let identity = try TestIdentity(algorithm)
        let pair = try connect(TestIdentity(algorithm).client(), identity.server())
        #expect(pair.client.events.kinds == [.untrusted])
        #expect(pair.server.events.kinds == [.refused(alert: 48)])
    }

    @Test func `a fingerprint of no bytes trusts nobody`() throws {
        let identity = try TestIdentity(.ed25519)
        let settings = TLSClientSettings(fingerprint: [], now: { TestIdentity.now })
        #expect(try connect(settings, identity.server()).client.events.kinds == [.untrusted])
    }

    @Test func `an expired certificate is told from a wrong one`() throws {
        let identity = try TestIdentity(.ed448, days: 10)
        for time in [TestIdentity.now + 11 * 86_400, TestIdentity.now - 2000] {
            let pair = try connect(identity.client(now: time), identity.server())
            #expect(pair.client.events.kinds == [.expired])
            #expect(pair.server.events.kinds == [.refused(alert: 45)])
        }
        let pair = try TLSPair(identity.client(now: TestIdentity.now + 9 * 86_400), identity.server())
        try pair.connect()
        #expect(pair.client.events.completed != nil)
    }

    @Test func `one certificate or five are refused, two to four are not`() throws {
        let root = try CertificateAuthority.make(.ed25519, now: TestIdentity.now - 1000)
        let network = try root.subordinate(commonName: "network", .ed25519, now: TestIdentity.now - 1000)
        let identity = try network.subordinate(
            commonName: "identity", .ed25519, now: TestIdentity.now - 1000)
        let key = try SigningKey.generate(.ed25519)
        let leaf = try identity.issue(commonName: "localhost", for: key, now: TestIdentity.now - 1000)
        let settings = TLSClientSettings(
            fingerprint: identity.certificate.fingerprint, now: { TestIdentity.now })
        let chain = [leaf, identity.certificate, network.certificate, root.certificate, root.certificate]
        for count in 1...5 {
            let server = try TLSServerSettings(
                identity: TLSIdentity(chain: Array(chain.prefix(count)), key: key))
            guard (2...4).contains(count) else {
                #expect(try connect(settings, server).client.events.kinds == [.untrusted])
                continue
            }
            let pair = try TLSPair(settings, server)
            try pair.connect()
            #expect(pair.client.events.completed?.peerChain.count == count, "\(pair.client.events.errors)")
        }
    }

    @Test func `an identity between a stranger's certificates is not enough`() throws {
        let identity = try TestIdentity(.ed25519)
        let stranger = try TestIdentity(.ed25519)
        let server = try TLSServerSettings(
            identity: TLSIdentity(
                chain: [stranger.leaf, identity.authority.certificate, stranger.authority.certificate],
                key: stranger.key))
        #expect(try connect(identity.client(), server).client.events.kinds == [.untrusted])
    }

    @Test func `a server is not set up with a key that is not its certificate's`() throws {
        let (one, other) = (try TestIdentity(.ed25519), try TestIdentity(.ed25519))
        #expect(throws: TLSError.self) { try TLSIdentity(chain: [one.leaf], key: other.key) }
        #expect(throws: TLSError.self) { try TLSIdentity(chain: [], key: other.key) }
    }
}
