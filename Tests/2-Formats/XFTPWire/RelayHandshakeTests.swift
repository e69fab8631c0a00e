import Synchronization
import Testing
import ValiseCryptography

@testable import ValiseXFTPWire

/// The states of a relay's side (§3.4), and what the official relay does in them (§12a).
@Suite struct RelayHandshakeTests {
    @Test func `TLS says how a connection begins`() {
        typealias Mode = RelaySession.Mode
        #expect(Mode(alpn: "xftp/1", usedServerName: false) == .native)
        #expect(Mode(alpn: "http/1.1", usedServerName: false) == .native)
        #expect(Mode(alpn: nil, usedServerName: false) == .legacy)
        #expect(Mode(alpn: nil, usedServerName: true) == .legacy)
        #expect(Mode(alpn: "h2", usedServerName: true) == .web)
        #expect(Mode(alpn: "xftp/1", usedServerName: true) == .web)
        #expect(Mode(alpn: "h2", usedServerName: false) == nil)
        #expect(Mode(alpn: "spdy/3", usedServerName: true) == nil)
    }

    @Test func `12a: a command as the first request is an error of the handshake`() throws {
        var relay = try TestRelay()
        #expect(try relay.receive(block("PING")).word == "HANDSHAKE")
        #expect(try relay.receive([7]).word == "HANDSHAKE")
        // A hello is taken afterwards.
        #expect(try ServerHello(block: #require(relay.receive([]).answer)).versions == 1...3)
    }

    @Test func `12a: a second hello of a program is an error, and the state stays`() throws {
        var relay = try TestRelay()
        _ = try relay.receive([])
        #expect(try relay.receive([]).word == "HANDSHAKE")
        #expect(try relay.receive(relay.handshake()) == .respond([]))
    }

    @Test func `12a: an error leaves the handshake where it was: a correct one is taken afterwards`() throws {
        var relay = try TestRelay()
        _ = try relay.receive([])
        let correct = try relay.handshake()
        var other = relay.identity.relay.fingerprint
        other[31] ^= 1
        let wrong = try [
            ClientHandshake(version: 3, keyHash: other).encodedBlock(),
            ClientHandshake(version: 3, keyHash: []).encodedBlock(),
            XFTPBlock.pad([]), XFTPBlock.pad([0]), XFTPBlock.pad([0, 3, 32]), Array(correct.dropLast()),
            block("PING"),
        ]
        for block in wrong {
            #expect(try relay.receive(block).word == "HANDSHAKE")
            #expect(relay.session.version == nil)
        }
        #expect(try relay.receive(correct) == .respond([]))
        #expect(relay.session.version == 3)
    }

    @Test(arguments: [(UInt16(0), false), (1, true), (2, true), (3, true), (4, false), (65_535, false)])
    func `12a: versions 1 to 3 are taken`(_ version: UInt16, _ isTaken: Bool) throws {
        var relay = try TestRelay()
        _ = try relay.receive([])
        let answer = try relay.receive(relay.handshake(version: version))
        #expect(isTaken ? answer == .respond([]) : answer.word == "HANDSHAKE")
        #expect(relay.session.version == (isTaken ? version : nil))
    }

    @Test func `12a: bytes behind the client's handshake are taken (trap 17)`() throws {
        var relay = try TestRelay()
        _ = try relay.receive([])
        let tail = try XFTPBlock.unpad(relay.handshake()) + [1, 2, 3]
        #expect(try relay.receive(XFTPBlock.pad(tail)) == .respond([]))
    }

    @Test func `12a: once accepted, a handshake and an empty request are broken blocks`() throws {
        var relay = try TestRelay.accepted()
        for head in [try relay.handshake(), []] {
            let answer = try relay.receive(head)
            #expect(answer.error == .block)
            #expect(answer.transmission?.entityID == [] && answer.transmission?.correlationID == [])
            #expect(answer.transmission?.sessionID == TestRelay.sessionID)
        }
        #expect(relay.session.version == 3)
    }

    @Test func `headers of web pages mean nothing on a program's connection`() throws {
        var relay = try TestRelay()
        #expect(try relay.receive(WebHello(challenge: nil).encodedBlock(), hello: true).word == "HANDSHAKE")
        _ = try relay.receive([], hello: true)
        #expect(try relay.receive([], hello: true).word == "HANDSHAKE")
        _ = try relay.receive(relay.handshake())
        #expect(try relay.receive([], hello: true).error == .block)
        #expect(try relay.receive(relay.handshake(), handshake: true).error == .block)
        #expect(try relay.receive(block("PING"), hello: true, handshake: true).request?.command == .ping)
    }

    @Test func `a connection without a protocol has version 1 at once, and no handshake`() throws {
        var relay = try TestRelay(.legacy)
        #expect(relay.session.version == 1)
        #expect(try relay.receive(block("PING")).request?.command == .ping)
        #expect(try relay.receive([], hello: true).error == .block)
    }

    // MARK: Web pages

    @Test func `a web page that does not say hello first has no session`() throws {
        var relay = try TestRelay(.web)
        for head in [[], try block("PING"), try relay.handshake()] {
            #expect(try relay.receive(head).word == "SESSION")
            #expect(try relay.receive(head, handshake: true).word == "SESSION")
        }
    }

    @Test func `a web page's hello has no body, or a challenge of 32 bytes, or the word that there is none`()
        throws
    {
        var relay = try TestRelay(.web)
        for count in [0, 31, 33, 255] {
            let hello = try WebHello(challenge: [UInt8](repeating: 1, count: count)).encodedBlock()
            #expect(try relay.receive(hello, hello: true).word == "HANDSHAKE")
        }
        for message in [[], [UInt8(ascii: "2")], [UInt8(ascii: "1"), 32, 1]] {
            #expect(try relay.receive(XFTPBlock.pad(message), hello: true).word == "HANDSHAKE")
        }
        #expect(try relay.receive([UInt8(ascii: "0")], hello: true).word == "HANDSHAKE")
        for head in try [[], XFTPBlock.pad([UInt8(ascii: "0")]), XFTPBlock.pad(Array("0tail".utf8))] {
            let answer = try #require(relay.receive(head, hello: true).answer)
            #expect(try ServerHello(block: answer).webProof == [])
        }
    }

    @Test func `a web page may begin again: the same key, a new proof, and commands wait`() throws {
        var relay = try TestRelay(.web)
        let keys = SequentialKeys()
        relay.session = RelaySession(
            relay.identity.relay, sessionID: TestRelay.sessionID, mode: .web, makeKey: keys.next)
        func hello(_ relay: inout TestRelay, _ first: UInt8) throws -> ServerHello {
            let challenge = Array(first..<first + 32)
            let answer = try relay.receive(WebHello(challenge: challenge).encodedBlock(), hello: true)
            let hello = try ServerHello(block: #require(answer.answer))
            let signedBytes = ServerHello.signedBytes(challenge: challenge, sessionID: TestRelay.sessionID)
            #expect(relay.identity.leaf.verify(hello.webProof, of: signedBytes))
            return hello
        }
        let first = try hello(&relay, 1)
        let second = try hello(&relay, 2)
        #expect(first.signedKey == second.signedKey && first.webProof != second.webProof)
        #expect(try relay.receive(relay.handshake(version: 2)) == .respond([]))
        #expect(try relay.receive(block("PING")).request?.command == .ping)
        #expect(try hello(&relay, 3).signedKey == first.signedKey)
        #expect(relay.session.version == nil)
        #expect(try relay.receive(block("PING")).word == "HANDSHAKE")
        #expect(try relay.receive(relay.handshake(), handshake: true) == .respond([]))
        #expect(relay.session.version == 3)
    }

    @Test func `a session's key is signed once, whatever a web page says`() throws {
        let identity = try TestIdentity(.ed448)
        let (real, signatures) = (identity.relay, Signatures())
        let relay = RelayIdentity(
            certificates: identity.relay.certificates, fingerprint: identity.relay.fingerprint, .ed448
        ) { bytes in
            signatures.count.withLock { $0 += 1 }
            return try real.sign(bytes)
        }
        var session = RelaySession(relay, sessionID: TestRelay.sessionID, mode: .web)
        let handshake = try ClientHandshake(version: 3, keyHash: relay.fingerprint).encodedBlock()
        for _ in 0..<20 {
            _ = try session.receive(.init(head: [], hasHelloHeader: true))
            #expect(try session.receive(.init(head: handshake, hasHandshakeHeader: true)) == .respond([]))
        }
        #expect(signatures.count.withLock { $0 } == 1)
        // The proof of a challenge is another each time.
        let hello = try WebHello(challenge: [UInt8](repeating: 1, count: 32)).encodedBlock()
        for _ in 0..<2 { _ = try session.receive(.init(head: hello, hasHelloHeader: true)) }
        #expect(signatures.count.withLock { $0 } == 3)
    }

    private final class Signatures: Sendable { let count = Mutex(0) }

    @Test func `a web page's second handshake is marked, and a wrong one changes nothing`() throws {
        var relay = try TestRelay.accepted(.web)
        #expect(try relay.receive(relay.handshake(version: 9), handshake: true).word == "HANDSHAKE")
        #expect(relay.session.version == 3)
        #expect(try relay.receive(relay.handshake(version: 1), handshake: true) == .respond([]))
        #expect(relay.session.version == 1)
        #expect(try relay.receive(relay.handshake()).error == .block)
        #expect(try relay.receive([1], hello: true).word == "HANDSHAKE")
        #expect(relay.session.version == 1)
    }

    @Test func `each connection of programs has a key of its own`() throws {
        let identity = try TestIdentity()
        let hellos = try (0..<2).map { _ in
            var session = RelaySession(identity.relay, sessionID: [1], mode: .native)
            return try ServerHello(block: #require(session.receive(.init(head: [])).answer))
        }
        #expect(hellos[0].signedKey.key != hellos[1].signedKey.key)
    }
}
