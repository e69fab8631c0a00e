import FaultInjection
import NIOCore
import NIOEmbedded
import Testing
import ValiseCryptography
import ValiseTLS

struct TransferTests {
    private func connected() throws -> TLSPair {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        return pair
    }

    private static func content(_ size: Int, _ random: inout SeededGenerator) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeRepeatingByte(0, count: size)
        for place in stride(from: 0, to: size - 8, by: 8) {
            buffer.setInteger(random.next(), at: place)
        }
        return buffer
    }

    @Test func `ten mebibytes go both ways in pieces of any size`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pair = try connected()
        pair.pieceSize = Int.random(in: 1000...100_000, using: &random)
        let contents = [Self.content(10 << 20, &random), Self.content(10 << 20, &random)]
        var rests = contents
        while rests.contains(where: { $0.readableBytes > 0 }) {
            for (index, end) in [pair.client, pair.server].enumerated() {
                let size = Int.random(in: 0...200_000, using: &random)
                let piece = rests[index].readSlice(length: min(size, rests[index].readableBytes))
                end.channel.write(piece ?? ByteBuffer(), promise: nil)
                if Bool.random(using: &random) { end.channel.flush() }
            }
            try pair.exchange()
        }
        pair.client.channel.flush()
        pair.server.channel.flush()
        try pair.exchange()
        #expect(pair.server.events.received == contents[0])
        #expect(pair.client.events.received == contents[1])
        #expect(pair.client.events.errors.isEmpty && pair.server.events.errors.isEmpty)
    }

    @Test func `small writes share a record, large ones fill theirs`() throws {
        let pair = try connected()
        let before = pair.client.sent.count
        for _ in 0..<1000 { pair.client.channel.write(ByteBuffer(string: "nine byte"), promise: nil) }
        pair.client.channel.flush()
        try pair.exchange()
        #expect(pair.server.events.received.readableBytes == 9000)
        // Head, type of content and tag.
        #expect(pair.client.sent.count - before == 9000 + 22)
        let between = pair.client.sent.count
        for _ in 0..<16 {
            pair.client.channel.write(ByteBuffer(string: "nine byte"), promise: nil)
            pair.client.channel.write(ByteBuffer(repeating: 7, count: 16384), promise: nil)
        }
        pair.client.channel.flush()
        try pair.exchange()
        #expect(pair.server.events.received.readableBytes == 9000 + 16 * 16393)
        // Once more where the bound for what is not flushed cuts.
        #expect(pair.client.sent.count - between <= 16 * 16393 + 22 * 22)
    }

    @Test func `what is written before the handshake is kept, in order, flushed or not`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        pair.client.channel.write(ByteBuffer(string: "one "), promise: nil)
        pair.client.channel.flush()
        pair.client.channel.write(ByteBuffer(string: "two "), promise: nil)
        try pair.connect()
        #expect(pair.server.events.text == "one ")
        try pair.client.write("three")
        try pair.exchange()
        #expect(pair.server.events.text == "one two three")
    }

    @Test func `a write is done when its bytes are, one of no bytes too`() throws {
        let pair = try connected()
        let loop = pair.client.channel.embeddedEventLoop
        var done: [Int] = []
        for (index, size) in [5, 0, 40_000, 0, 1].enumerated() {
            let promise = loop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenSuccess { done.append(index) }
            pair.client.channel.write(ByteBuffer(repeating: 1, count: size), promise: promise)
        }
        #expect(done.isEmpty)
        pair.client.channel.flush()
        #expect(done.sorted() == [0, 1, 2, 3, 4])
        let empty = loop.makePromise(of: Void.self)
        pair.client.channel.writeAndFlush(ByteBuffer(), promise: empty)
        try empty.futureResult.wait()
        try pair.exchange()
        #expect(pair.server.events.received.readableBytes == 40_006)
    }

    @Test func `more early writes than are kept end the connection`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.client.connect()
        let promise = pair.client.channel.embeddedEventLoop.makePromise(of: Void.self)
        pair.client.channel.write(ByteBuffer(string: "x"), promise: promise)
        let limit = TLSChannelHandler.earlyWriteLimit
        pair.client.channel.write(ByteBuffer(repeating: 1, count: limit - 1), promise: nil)
        #expect(pair.client.events.errors.isEmpty)
        pair.client.channel.write(ByteBuffer(string: "x"), promise: nil)
        #expect(pair.client.events.kinds == [.failed])
        #expect(!pair.client.channel.isActive)
        #expect { try promise.futureResult.wait() } throws: { ($0 as? TLSError)?.kind == .failed }
    }

    @Test func `what is not flushed is handed on before it grows`() throws {
        let pair = try connected()
        let counter = WriteCounter()
        try pair.client.channel.pipeline.syncOperations.addHandler(counter, position: .first)
        for _ in 0..<40 { pair.client.channel.write(ByteBuffer(repeating: 1, count: 10_000), promise: nil) }
        // The channel knows of most of it, and can tell its writer to wait.
        #expect(counter.bytes >= 400_000 - (64 << 10) - 10_000)
        #expect(counter.flushes == 0)
        pair.client.channel.flush()
        try pair.exchange()
        #expect(pair.server.events.received.readableBytes == 400_000)
    }

    /// Counts what reaches the network.
    private final class WriteCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var bytes = 0
        var flushes = 0
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            bytes += unwrapOutboundIn(data).readableBytes
            context.write(data, promise: promise)
        }
        func flush(context: ChannelHandlerContext) {
            flushes += 1
            context.flush()
        }
    }

    // MARK: Reading on demand

    /// Counts how often the network is asked for bytes.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0
        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    @Test func `a read that was asked for is not lost in half a record`() throws {
        let pair = try connected()
        let counter = ReadCounter()
        try pair.server.channel.pipeline.syncOperations.addHandler(counter, position: .first)
        try pair.server.channel.syncOptions?.setOption(.autoRead, value: false)
        try pair.client.write("abc")
        var record = try pair.client.takeSent()
        pair.server.channel.read()
        #expect(counter.reads == 1)
        pair.server.deliver(record.readSlice(length: 10) ?? ByteBuffer())
        #expect(counter.reads == 2, "no byte was read, so the handler asks again")
        pair.server.deliver(record)
        #expect(pair.server.events.text == "abc")
        #expect(counter.reads == 2, "the application has its bytes and has not asked for more")
    }

    @Test func `the handshake needs no reads of the application`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        let counter = ReadCounter()
        try pair.server.channel.pipeline.syncOperations.addHandler(counter, position: .first)
        try pair.server.channel.syncOptions?.setOption(.autoRead, value: false)
        try pair.connect()
        #expect(counter.reads >= 2)
        #expect(pair.server.events.completed != nil)
        let reads = counter.reads
        try pair.client.write("abc")
        try pair.exchange()
        #expect(counter.reads == reads)
    }

    @Test func `a write is done when its own bytes are sent, not those of the next`() throws {
        let pair = try connected()
        let network = StuckNetwork()
        try pair.client.channel.pipeline.syncOperations.addHandler(network, position: .first)
        let loop = pair.client.channel.embeddedEventLoop
        let writes = (0..<4).map { _ in loop.makePromise(of: Void.self) }
        var done = [false, false, false, false]
        for (index, promise) in writes.enumerated() {
            promise.futureResult.assumeIsolated().whenSuccess { done[index] = true }
            pair.client.channel.write(ByteBuffer(repeating: 1, count: 16384), promise: promise)
        }
        pair.client.channel.flush()
        network.letGo(most: 1)
        loop.run()
        #expect(done == [true, false, false, false])
        network.letGo()
        loop.run()
        #expect(done == [true, true, true, true])
    }

    @Test func `who answers or closes in the middle of reading disturbs nothing`() throws {
        let pair = try connected()
        pair.server.events.onRead = { context in
            context.writeAndFlush(NIOAny(ByteBuffer(string: "!")), promise: nil)
            context.close(promise: nil)
        }
        pair.client.channel.write(ByteBuffer(repeating: 1, count: 300_000), promise: nil)
        pair.client.channel.flush()
        try pair.exchange()
        #expect(pair.server.events.pieces == 1)
        #expect(pair.client.events.text == "!")
        #expect(pair.client.events.errors.isEmpty)
        #expect(pair.client.events.inactive)
    }
}
