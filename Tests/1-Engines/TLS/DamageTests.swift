import FaultInjection
import NIOCore
import NIOEmbedded
import Testing
import ValiseCryptography
import ValiseTLS

struct DamageTests {
    @Test func `no changed byte of the handshake gets through`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let identity = try TestIdentity(.ed25519)
        let (client, server) = (identity.client(), try identity.server())
        var harmless = 0
        for _ in 0..<60 {
            let pair = try TLSPair(client, server)
            let fromClient = Bool.random(using: &random)
            let place = Int.random(in: 0..<200, using: &random)
            let bit = UInt8(1) << UInt8.random(in: 0...7, using: &random)
            var seen = 0
            pair.onWire = { bytes, isClient in
                guard isClient == fromClient else { return bytes }
                defer { seen += bytes.readableBytes }
                let index = place - seen
                guard index >= 0, let byte = bytes.getInteger(at: index, as: UInt8.self) else { return bytes }
                var changed = bytes
                changed.setInteger(byte ^ bit, at: index)
                return changed
            }
            try pair.client.write("x")
            try pair.connect()
            // The version in a record's head means nothing. Every other byte is part of what both prove.
            if let completed = pair.server.events.completed {
                #expect(completed.sessionID == pair.client.events.completed?.sessionID)
                #expect(pair.server.events.text == "x")
                harmless += 1
            }
            let errors: [any Error] = pair.client.events.errors + pair.server.events.errors
            #expect(errors.allSatisfy { $0 is TLSError })
        }
        #expect(harmless < 10)
    }

    private func connected() throws -> TLSPair {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        return pair
    }

    @Test(arguments: [3, 5, 20, 60])
    func `a changed record is not delivered and ends the connection`(place: Int) throws {
        let pair = try connected()
        try pair.client.write("first")
        try pair.exchange()
        pair.onWire = { bytes, fromClient in
            guard fromClient, let byte = bytes.getInteger(at: place, as: UInt8.self) else { return bytes }
            var changed = bytes
            changed.setInteger(byte ^ 1, at: place)
            return changed
        }
        try pair.client.write("a message of more bytes than the place that is changed in it")
        // Where the length was changed, the record goes on in what follows.
        try pair.client.write(String(repeating: "next", count: 250))
        try pair.exchange()
        #expect(pair.server.events.text == "first")
        #expect(pair.server.events.kinds == [.protocolViolation])
        #expect(pair.client.events.kinds == [.refused(alert: 20)])
        #expect(pair.server.events.inactive && pair.client.events.inactive)
    }

    @Test func `a record twice, or left out, is noticed`() throws {
        for twice in [true, false] {
            let pair = try connected()
            try pair.client.write("one")
            let one = try pair.client.takeSent()
            try pair.client.write("two")
            let two = try pair.client.takeSent()
            for record in twice ? [one, one] : [two] { pair.server.deliver(record) }
            #expect(pair.server.events.text == (twice ? "one" : ""))
            #expect(pair.server.events.kinds == [.protocolViolation])
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{4}aaaa",
        String(repeating: "\0", count: 100_000),
    ])
    func `what is no TLS is refused`(text: String) throws {
        let pair = try TLSPair(TestIdentity(.ed25519).client(), TestIdentity(.ed25519).server())
        try pair.server.connect()
        try pair.client.connect()
        pair.server.deliver(ByteBuffer(string: text))
        pair.client.deliver(ByteBuffer(string: text))
        for end in [pair.client, pair.server] {
            #expect(end.events.kinds.count == 1)
            #expect(end.events.kinds.first != .failed)
            #expect(end.events.inactive)
        }
    }

    @Test func `a connection that is cut is told from one that ends`() throws {
        let cut = try connected()
        try cut.server.write("half of")
        try cut.exchange()
        cut.client.deliverEnd()
        #expect(cut.client.events.text == "half of")
        #expect(cut.client.events.kinds == [.truncated])

        let ended = try connected()
        try ended.server.write("all")
        ended.server.channel.close(promise: nil)
        try ended.exchange()
        #expect(ended.client.events.text == "all")
        #expect(ended.client.events.errors.isEmpty)
        #expect(ended.client.events.inactive)
    }

    @Test func `a connection that is cut in the handshake fails it and what waited`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.client.connect()
        let promise = pair.client.channel.embeddedEventLoop.makePromise(of: Void.self)
        pair.client.channel.writeAndFlush(ByteBuffer(string: "x"), promise: promise)
        pair.client.deliverEnd()
        #expect(pair.client.events.kinds == [.truncated])
        #expect { try promise.futureResult.wait() } throws: { ($0 as? TLSError)?.kind == .truncated }
    }
}
