import NIOCore
import NIOEmbedded
import Testing
import ValiseCryptography
import ValiseTLS

struct ClosingTests {
    private func connected() throws -> TLSPair {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        try pair.connect()
        return pair
    }

    @Test func `closing sends what was flushed and the word that nothing follows`() throws {
        let pair = try connected()
        let loop = pair.client.channel.embeddedEventLoop
        let (flushed, dropped, closed) = (
            loop.makePromise(of: Void.self), loop.makePromise(of: Void.self), loop.makePromise(of: Void.self)
        )
        pair.client.channel.writeAndFlush(ByteBuffer(string: "flushed"), promise: flushed)
        pair.client.channel.write(ByteBuffer(string: "not"), promise: dropped)
        pair.client.channel.close(promise: closed)
        try closed.futureResult.wait()
        try flushed.futureResult.wait()
        #expect { try dropped.futureResult.wait() } throws: { $0 is ChannelError }
        try pair.exchange()
        #expect(pair.server.events.text == "flushed")
        #expect(pair.server.events.errors.isEmpty)
        #expect(pair.server.events.inactive)
        let late = loop.makePromise(of: Void.self)
        pair.client.channel.writeAndFlush(ByteBuffer(string: "late"), promise: late)
        #expect { try late.futureResult.wait() } throws: { $0 is ChannelError }
    }

    /// Stands for a network that takes no bytes.
    private final class Stalled: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var held: [EventLoopPromise<Void>?] = []
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            held.append(promise)
        }
    }

    @Test func `a network that takes no bytes holds the end up for some seconds only`() throws {
        let pair = try connected()
        let stalled = Stalled()
        try pair.client.channel.pipeline.syncOperations.addHandler(stalled, position: .first)
        let loop = pair.client.channel.embeddedEventLoop
        let promises = (0..<2).map { _ in loop.makePromise(of: Void.self) }
        for promise in promises { pair.client.channel.close(promise: promise) }
        #expect(pair.client.channel.isActive)
        loop.advanceTime(by: .seconds(4))
        #expect(pair.client.channel.isActive)
        loop.advanceTime(by: .seconds(2))
        #expect(!pair.client.channel.isActive)
        for promise in promises { try promise.futureResult.wait() }
        for promise in stalled.held { promise?.fail(ChannelError.ioOnClosedChannel) }
    }

    @Test func `closing before the handshake is done is no failure of the peer`() throws {
        let identity = try TestIdentity(.ed25519)
        let promise = EmbeddedEventLoop().makePromise(of: TLSHandshakeCompleted.self)
        let pair = try TLSPair(identity.client(), identity.server(), clientPromise: promise)
        try pair.client.connect()
        try pair.client.channel.close().wait()
        #expect { try promise.futureResult.wait() } throws: { ($0 as? TLSError)?.kind == .closed }
        #expect(pair.client.events.errors.isEmpty)
    }

    @Test func `the peer's word ends one direction where the channel allows that`() throws {
        let pair = try connected()
        try pair.server.channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        pair.client.channel.close(promise: nil)
        let bytes = try pair.client.takeSent()
        pair.server.deliver(bytes)
        #expect(pair.server.events.inputClosed)
        #expect(pair.server.channel.isActive)
        let promise = pair.server.channel.embeddedEventLoop.makePromise(of: Void.self)
        pair.server.channel.writeAndFlush(ByteBuffer(string: "still"), promise: promise)
        try promise.futureResult.wait()
        // The network says the same again; once was enough.
        pair.server.events.inputClosed = false
        pair.server.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!pair.server.events.inputClosed)
        #expect(pair.server.events.errors.isEmpty)
        try pair.server.channel.close().wait()
    }

    @Test func `the end of the network's stream without the peer's word is a cut`() throws {
        let pair = try connected()
        pair.server.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(pair.server.events.kinds == [.truncated])
        #expect(!pair.server.events.inputClosed)
        #expect(pair.server.events.inactive)
    }

    /// Stands for a network that fails as soon as bytes are written.
    private final class Broken: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promise?.fail(ChannelError.eof)
            context.fireErrorCaught(ChannelError.eof)
            context.fireChannelInactive()
        }
    }

    @Test func `a network that fails in the middle of a write leaves no writer waiting`() throws {
        let pair = try connected()
        try pair.client.channel.pipeline.syncOperations.addHandler(Broken(), position: .first)
        let loop = pair.client.channel.embeddedEventLoop
        let promises = (0..<5).map { _ in loop.makePromise(of: Void.self) }
        for promise in promises {
            pair.client.channel.write(ByteBuffer(repeating: 1, count: 60_000), promise: promise)
        }
        pair.client.channel.flush()
        for promise in promises { #expect(throws: (any Error).self) { try promise.futureResult.wait() } }
        #expect(pair.client.events.kinds == [.truncated])
    }

    @Test func `closing from within the event of the handshake is as good as later`() throws {
        let identity = try TestIdentity(.ed25519)
        let pair = try TLSPair(identity.client(), identity.server())
        pair.client.events.onCompleted = { $0.close(promise: nil) }
        try pair.client.write("last words")
        try pair.connect()
        #expect(pair.server.events.text == "last words")
        #expect(pair.server.events.errors.isEmpty && pair.client.events.errors.isEmpty)
        #expect(pair.server.events.inactive && pair.client.events.inactive)
    }
}
