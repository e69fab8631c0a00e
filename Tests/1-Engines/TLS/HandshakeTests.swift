import NIOCore
import NIOEmbedded
import Testing
import ValiseCryptography
import ValiseTLS

struct HandshakeTests {
    @Test(arguments: SigningAlgorithm.allCases)
    func `both sides agree on the protocol and the session`(algorithm: SigningAlgorithm) throws {
        let identity = try TestIdentity(algorithm)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        let client = try #require(pair.client.events.completed, "\(pair.client.events.errors)")
        let server = try #require(pair.server.events.completed, "\(pair.server.events.errors)")
        #expect(client.sessionID.count == 32)
        #expect(client.sessionID == server.sessionID)
        #expect(client.alpn == "xftp/1")
        #expect(server.alpn == "xftp/1")
        #expect(client.peerChain == [identity.leaf.der, identity.authority.certificate.der])
        #expect(server.peerChain.isEmpty)
        #expect(!server.usedServerName)
        let again = try TLSPair(identity.client(), identity.server())
        try again.connect()
        #expect(again.client.events.completed?.sessionID != client.sessionID)
    }

    @Test func `whatever the pieces are in which the bytes come`() throws {
        let identity = try TestIdentity(.ed448)
        for size in [1, 2, 5, 6, 100] {
            let pair = try TLSPair(identity.client(), identity.server())
            pair.pieceSize = size
            try pair.connect()
            try pair.client.write("from the client")
            try pair.server.write("from the server")
            try pair.exchange()
            #expect(pair.server.events.text == "from the client")
            #expect(pair.client.events.text == "from the server")
        }
    }

    // MARK: ALPN

    @Test(arguments: [
        (["xftp/1"], ["xftp/1", "h2", "http/1.1"], "xftp/1"),
        (["http/1.1", "xftp/1"], ["xftp/1", "h2", "http/1.1"], "http/1.1"),
        (["new", "h2"], ["xftp/1", "h2"], "h2"),
        (["xftp/1"], ["xftp/1"], "xftp/1"),
    ])
    func `the first of the client's protocols that the server has is taken`(
        offer: [String], spoken: [String], chosen: String
    ) throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(alpn: offer), identity.server(alpn: spoken))
        try pair.connect()
        #expect(pair.client.events.completed?.alpn == chosen)
        #expect(pair.server.events.completed?.alpn == chosen)
    }

    @Test func `a client that offers no protocol is let in`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(alpn: []), identity.server())
        try pair.connect()
        let server = try #require(pair.server.events.completed)
        #expect(server.alpn == nil)
        #expect(pair.client.events.completed?.sessionID == server.sessionID)
    }

    @Test func `a client that offers only other protocols is refused`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(alpn: ["xftp/2", "xftp/"]), identity.server())
        try pair.connect()
        #expect(pair.server.events.kinds == [.incompatible])
        #expect(pair.client.events.kinds == [.refused(alert: 120)])
        #expect(pair.client.events.inactive && pair.server.events.inactive)
    }

    @Test(arguments: ["", String(repeating: "x", count: 256)])
    func `a protocol that cannot be offered is the caller's error`(name: String) throws {
        let settings = try TestIdentity(.ed25519).client(alpn: [name])
        #expect { try TLSChannelHandler(client: settings) } throws: { ($0 as? TLSError)?.kind == .failed }
    }

    // MARK: Key exchange

    @Test func `a server without the client's first key exchange asks for its own`() throws {
        let identity = try TestIdentity(.ed448)
        let pair = try TLSPair(identity.client(), identity.server(groups: [.x25519]))
        try pair.connect()
        // ServerHello of a retry: the hash that RFC 8446, section 4.1.3 fixes stands for the random number.
        #expect(pair.helloRetries == 1)
        let client = try #require(pair.client.events.completed, "\(pair.client.events.errors)")
        #expect(client.sessionID == pair.server.events.completed?.sessionID)
        try pair.client.write("on")
        try pair.exchange()
        #expect(pair.server.events.text == "on")
    }

    @Test func `the first key exchange is taken without asking`() throws {
        let identity = try TestIdentity(.ed448)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        #expect(pair.helloRetries == 0)
        #expect(pair.client.events.completed != nil)
    }

    @Test func `sides without a common key exchange do not meet`() throws {
        let identity = try TestIdentity(.ed448)
        let settings = TLSClientSettings(
            fingerprint: identity.fingerprint, groups: [.x448], now: { TestIdentity.now })
        let pair = try TLSPair(settings, identity.server(groups: [.x25519]))
        try pair.connect()
        #expect(pair.server.events.kinds == [.incompatible])
        #expect(pair.client.events.kinds == [.refused(alert: 40)])
    }

    // MARK: What the client says

    @Test func `the client says no more than the official one, and sends no name`() throws {
        let identity = try TestIdentity(.ed448)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        let hello = try #require(ClientHello(pair.client.sent))
        // Besides the mark that says no more than that this is no renegotiation.
        #expect(hello.suites.filter { $0 != 0x00ff } == [0x1303])
        #expect(hello.versions == [0x0304])
        #expect(hello.groups == [0x001e, 0x001d])
        #expect(hello.keyShares == [0x001e])
        #expect(hello.signatures == [0x0808, 0x0807])
        #expect(hello.alpn == ["xftp/1"])
        #expect(hello.extensions[0] == nil, "a server name")
        #expect(hello.extensions[41] == nil, "a session to be resumed")
    }

    // MARK: Who is told

    @Test func `a promise tells of the handshake, or why there was none`() throws {
        let identity = try TestIdentity(.ed25519)
        let loop = EmbeddedEventLoop()
        let promise = loop.makePromise(of: TLSHandshakeCompleted.self)
        let pair = try TLSPair(identity.client(), identity.server(), clientPromise: promise)
        try pair.connect()
        #expect(try promise.futureResult.wait() == pair.client.events.completed)

        let refused = loop.makePromise(of: TLSHandshakeCompleted.self)
        let other = try TLSPair(
            TestIdentity(.ed25519).client(), identity.server(), clientPromise: refused)
        try other.connect()
        #expect { try refused.futureResult.wait() } throws: { ($0 as? TLSError)?.kind == .untrusted }

        let unused = loop.makePromise(of: TLSHandshakeCompleted.self)
        _ = try TLSChannelHandler(client: identity.client(), handshake: unused)
        #expect { try unused.futureResult.wait() } throws: { ($0 as? TLSError)?.kind == .closed }
    }

    @Test func `a handler that comes to an open channel begins at once`() throws {
        let identity = try TestIdentity(.ed25519)
        let channel = EmbeddedChannel()
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
        try channel.pipeline.syncOperations.addHandler(TLSChannelHandler(client: identity.client()))
        #expect(try channel.readOutbound(as: ByteBuffer.self)?.getInteger(at: 0, as: UInt8.self) == 22)
    }
}
