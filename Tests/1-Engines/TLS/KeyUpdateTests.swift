import CValiseOpenSSL
import NIOCore
import NIOEmbedded
import Testing
import ValiseCryptography

@testable import ValiseTLS

/// Peers that talk of TLS instead of sending anything.
struct KeyUpdateTests {
    /// A pair that is set up, with the attacker first.
    private func connected(serverAttacks: Bool) throws -> (pair: TLSPair, attacker: TLSEnd, victim: TLSEnd) {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        return serverAttacks ? (pair, pair.server, pair.client) : (pair, pair.client, pair.server)
    }

    /// A change of keys that asks the other side for one too.
    private func keyUpdate(_ end: TLSEnd) throws -> ByteBuffer {
        let connection = end.handler.connection
        #expect(SSL_key_update(connection.ssl, SSL_KEY_UPDATE_REQUESTED) == 1)
        #expect(SSL_do_handshake(connection.ssl) == 1)
        return try #require(connection.takeOutgoing())
    }

    private func record(_ size: Int, of end: TLSEnd) throws -> ByteBuffer {
        end.channel.writeAndFlush(ByteBuffer(repeating: 7, count: size), promise: nil)
        return try end.takeSent()
    }

    @Test(arguments: [false, true])
    func `keys may change now and then`(serverAttacks: Bool) throws {
        let (pair, one, other) = try connected(serverAttacks: serverAttacks)
        for _ in 0..<5 {
            other.deliver(try keyUpdate(one))
            try one.write("x")
            try other.write("y")
            try pair.exchange()
        }
        #expect(other.events.text == "xxxxx" && one.events.text == "yyyyy")
        #expect(one.events.errors.isEmpty && other.events.errors.isEmpty)
    }

    @Test(arguments: [false, true], [false, true])
    func `a flood of changed keys ends the connection`(serverAttacks: Bool, atOnce: Bool) throws {
        let (_, attacker, victim) = try connected(serverAttacks: serverAttacks)
        _ = try victim.takeSent()
        var all = ByteBuffer()
        for _ in 0..<2000 {
            var bytes = try keyUpdate(attacker)
            if atOnce { all.writeBuffer(&bytes) } else { victim.deliver(bytes) }
        }
        victim.deliver(all)
        #expect(victim.events.kinds == [.protocolViolation])
        #expect(victim.events.inactive)
        #expect(try victim.takeSent().readableBytes < (TLSConnection.mostWords + 2) * 64)
    }

    @Test(arguments: [false, true])
    func `content pays for changes of keys`(serverAttacks: Bool) throws {
        let (_, one, other) = try connected(serverAttacks: serverAttacks)
        for _ in 0..<(3 * TLSConnection.mostWords) {
            other.deliver(try keyUpdate(one))
            other.deliver(try record(16384, of: one))
            _ = try other.takeSent()
        }
        #expect(other.events.errors.isEmpty)
        #expect(other.events.received.readableBytes == 3 * TLSConnection.mostWords * 16384)
    }

    @Test(arguments: [false, true])
    func `who asks for answers and takes none is given up`(serverAttacks: Bool) throws {
        let (_, attacker, victim) = try connected(serverAttacks: serverAttacks)
        let network = StuckNetwork()
        try victim.channel.pipeline.syncOperations.addHandler(network, position: .first)
        for _ in 0..<300 where victim.events.errors.isEmpty {
            victim.deliver(try keyUpdate(attacker))
            victim.deliver(try record(16384, of: attacker))
        }
        #expect(victim.events.kinds == [.protocolViolation])
        #expect(network.bytes <= TLSChannelHandler.wordLimit + 128)
        network.letGo()
        victim.channel.embeddedEventLoop.run()
        #expect(victim.events.inactive)
    }
}
