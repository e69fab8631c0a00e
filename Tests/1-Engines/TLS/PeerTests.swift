import NIOCore
import NIOPosix
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets
import ValiseTLS

/// Agreement with other programs over sockets: OpenSSL's `s_client` and `s_server` and Python's `ssl`, both roles.
@Suite(.timeLimit(.minutes(5)))
struct PeerTests {
    // MARK: Python

    @Test(arguments: SigningAlgorithm.allCases)
    func `Python's server and our client have the same session`(algorithm: SigningAlgorithm) async throws {
        let (identity, files) = (try TestIdentity(algorithm), try PeerFiles())
        let stored = try files.store(identity)
        let peer = try PeerProcess(["python3", PeerProcess.script, "server", stored.chain, stored.key])
        let port = try #require(Int(peer.line()))
        let client = try await Loopback.connect(identity.client(), port: port, halfClosure: true)
        let completed = try await client.handshake.get()
        let sent = ByteBuffer(repeating: 7, count: 300_000)
        try await client.channel.writeAndFlush(sent)
        try await client.channel.close(mode: .output)
        let answer = try PeerAnswer(peer.line())
        #expect(answer.session == Hexadecimal.encode(completed.sessionID))
        #expect(answer.version == "TLSv1.3")
        #expect(answer.suite == "TLS_CHACHA20_POLY1305_SHA256")
        #expect(answer.alpn == "xftp/1")
        #expect(completed.alpn == "xftp/1")
        #expect(answer.names == [nil], "a server name was sent")
        try await client.end()
        #expect(client.received == sent)
        #expect(client.kinds.isEmpty)
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `Python's client and our server have the same session`(algorithm: SigningAlgorithm) async throws {
        let (identity, files) = (try TestIdentity(algorithm, validFromThePast: true), try PeerFiles())
        let stored = try files.store(identity)
        let server = try await Loopback.serve(identity.server())
        let peer = try PeerProcess(
            [
                "python3", PeerProcess.script, "client", "\(server.port)", stored.authority, "",
                "http/1.1,xftp/1",
            ])
        let answer = try PeerAnswer(peer.line())
        let connection = try await server.first.get()
        let completed = try await connection.handshake.get()
        #expect(answer.session == Hexadecimal.encode(completed.sessionID))
        #expect(answer.suite == "TLS_CHACHA20_POLY1305_SHA256")
        #expect(answer.alpn == "http/1.1")
        #expect(answer.echoed == true)
        #expect(answer.subject == "localhost")
        #expect(!completed.usedServerName)
        try await connection.end()
        #expect(connection.kinds.isEmpty)
        try await server.close()
    }

    @Test func `a server name is ignored where there is no web identity`() async throws {
        let (identity, files) = (try TestIdentity(.ed25519, validFromThePast: true), try PeerFiles())
        let stored = try files.store(identity)
        let server = try await Loopback.serve(identity.server())
        let peer = try PeerProcess(
            ["python3", PeerProcess.script, "client", "\(server.port)", stored.authority, "example.org"])
        #expect(try PeerAnswer(peer.line()).subject == "localhost")
        #expect(try await server.first.get().handshake.get().usedServerName == false)
        try await server.close()
    }

    @Test(arguments: ["EC", "RSA"])
    func `who sends a server name sees the web identity`(kind: String) async throws {
        let (identity, files) = (try TestIdentity(.ed448, validFromThePast: true), try PeerFiles())
        let web = try webIdentity(kind, files)
        let stored = try files.store(identity)
        let server = try await Loopback.serve(
            TLSServerSettings(identity: identity.tls(), webIdentity: web))
        let browser = try PeerProcess(
            [
                "python3", PeerProcess.script, "client", "\(server.port)", files.path("web.crt"),
                "any.example",
                "h2,http/1.1",
            ])
        let answer = try PeerAnswer(browser.line())
        let completed = try await server.first.get().handshake.get()
        #expect(answer.subject == "web.example")
        #expect(answer.alpn == "h2")
        #expect(answer.suite == "TLS_AES_256_GCM_SHA384")
        #expect(completed.usedServerName)
        #expect(completed.sessionID.count == 48)
        #expect(answer.session == Hexadecimal.encode(completed.sessionID))
        let native = try PeerProcess(
            ["python3", PeerProcess.script, "client", "\(server.port)", stored.authority])
        let nativeAnswer = try PeerAnswer(native.line())
        #expect(nativeAnswer.subject == "localhost")
        #expect(nativeAnswer.suite == "TLS_CHACHA20_POLY1305_SHA256")
        try await server.close()
    }

    private func webIdentity(_ kind: String, _ files: PeerFiles) throws -> TLSIdentity {
        let key = kind == "EC" ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["rsa:2048"]
        let tool = try PeerProcess(
            ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=web.example", "-days", "10", "-newkey"] + key
                + ["-keyout", files.path("web.key"), "-out", files.path("web.crt")])
        let words = tool.rest()
        let chain = try Certificate.chain(pem: files.read("web.crt"))
        try #require(!chain.isEmpty, "\(words)")
        return try TLSIdentity(
            chain: chain, key: SigningKey(pem: SecretBytes(copying: files.read("web.key"))))
    }

    // MARK: OpenSSL

    /// s_server with `-rev` sends back each line reversed; `-msg` tells of each handshake message.
    private func sServer(
        _ identity: TestIdentity, _ files: PeerFiles, _ options: [String]
    ) throws -> (PeerProcess, port: Int) {
        let stored = try files.store(identity)
        let peer = try PeerProcess(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", stored.chain, "-key", stored.key,
                "-cert_chain", stored.authority, "-alpn", "xftp/1", "-rev", "-msg", "-naccept", "1",
            ] + options)
        let line = try peer.line(containing: "ACCEPT")
        return (peer, try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)"))
    }

    @Test(arguments: SigningAlgorithm.allCases, ["X448:X25519", "X25519"])
    func `our client and s_server agree, after a retry where X448 is missing`(
        algorithm: SigningAlgorithm, groups: String
    ) async throws {
        let (identity, files) = (try TestIdentity(algorithm), try PeerFiles())
        let (peer, port) = try sServer(identity, files, ["-tls1_3", "-groups", groups])
        let client = try await Loopback.connect(identity.client(), port: port)
        let completed = try await client.handshake.get()
        #expect(completed.alpn == "xftp/1")
        #expect(completed.sessionID.count == 32)
        #expect(completed.peerChain == [identity.leaf.der, identity.authority.certificate.der])
        try await client.channel.writeAndFlush(ByteBuffer(string: "abc\n"))
        while client.received.readableBytes < 4, client.channel.isActive {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(String(buffer: client.received) == "cba\n")
        try? await client.channel.close()
        let words = peer.rest()
        let hellos = words.split(separator: "\n").count { $0.contains("<<<") && $0.contains("ClientHello") }
        #expect(hellos == (groups == "X25519" ? 2 : 1), "\(words)")
        #expect(client.kinds.isEmpty)
    }

    @Test func `our client refuses a server of TLS 1.2, and one with another suite`() async throws {
        for options in [["-tls1_2"], ["-ciphersuites", "TLS_AES_128_GCM_SHA256"]] {
            let (identity, files) = (try TestIdentity(.ed25519), try PeerFiles())
            let (peer, port) = try sServer(identity, files, options)
            let client = try await Loopback.connect(identity.client(), port: port)
            await #expect(throws: TLSError.self) { try await client.handshake.get() }
            try await client.end()
            #expect(client.kinds.count == 1)
            #expect(client.kinds.first.map { if case .refused = $0 { true } else { false } } == true)
            withExtendedLifetime(peer) {}
        }
    }

    /// - Returns: what s_client prints.
    private func sClient(_ port: Int, _ anchor: String, _ options: [String]) throws -> String {
        let peer = try PeerProcess(
            [
                "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", anchor,
                "-verify_return_error", "-noservername", "-alpn", "xftp/1", "-ign_eof",
            ] + options)
        // The end of what it sends; it goes on until the server ends too.
        try peer.type("Q\n")
        try peer.endInput()
        return peer.rest()
    }

    @Test(arguments: [
        ["-tls1_3", "-groups", "X448", "-sigalgs", "ed448:ed25519"], ["-tls1_3", "-groups", "X25519"],
        ["-tls1_3", "-groups", "P-256:X25519"], ["-tls1_2", "-groups", "X25519"],
    ])
    func `s_client and our server agree`(options: [String]) async throws {
        let (identity, files) = (try TestIdentity(.ed448, validFromThePast: true), try PeerFiles())
        let stored = try files.store(identity)
        let server = try await Loopback.serve(identity.server())
        let ended = Task {
            let connection = try await server.first.get()
            let completed = try await connection.handshake.get()
            while connection.received.readableBytes == 0, connection.channel.isActive {
                try await Task.sleep(for: .milliseconds(5))
            }
            try? await connection.channel.close()
            return completed
        }
        let words = try await Self.onThread {
            try sClient(server.port, stored.authority, options)
        }
        let completed = try await ended.value
        #expect(words.contains("Verify return code: 0 (ok)"), "\(words)")
        #expect(words.contains("ALPN protocol: xftp/1"), "\(words)")
        #expect(words.contains("CHACHA20"), "\(words)")
        #expect(words.contains("Secure Renegotiation IS NOT supported") || options[0] == "-tls1_2")
        #expect(
            !words.contains("New Session Ticket arrived") && !words.contains("Post-Handshake New"), "\(words)"
        )
        #expect(completed.sessionID.count == (options[0] == "-tls1_2" ? 12 : 32))
        try await server.close()
    }

    @Test(arguments: [
        ["-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256"], ["-tls1_3", "-groups", "P-256"],
        ["-tls1_3", "-sigalgs", "ECDSA+SHA256"], ["-tls1_1", "-cipher", "ALL"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"],
    ])
    func `our server takes nothing but the algorithms of XFTP`(options: [String]) async throws {
        let (identity, files) = (try TestIdentity(.ed448, validFromThePast: true), try PeerFiles())
        let stored = try files.store(identity)
        let server = try await Loopback.serve(identity.server())
        let words = try await Self.onThread {
            try sClient(server.port, stored.authority, options)
        }
        #expect(words.contains("alert") || words.contains("error"), "\(words)")
        let connection = try await server.first.get()
        await #expect(throws: TLSError.self) { try await connection.handshake.get() }
        #expect(!connection.kinds.isEmpty)
        try await server.close()
    }

    /// A call that blocks keeps its thread, not one that tasks share.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive { try work() }
    }
}
