import NIOCore
import NIOPosix
import Synchronization
import ValiseTLS

/// Our handler on real sockets of this machine.
enum Loopback {
    static var group: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// What is done with what comes.
    struct Behaviour {
        var echoes = true
        var keeps = true
        /// Whether one direction may end before the other.
        var halfCloses = false
    }

    /// Collects what comes, and sends it back when told so.
    final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        struct Outcome {
            var received = ByteBuffer()
            var count = 0
            var errors: [any Error] = []
            var inputClosed = false
        }

        let outcome = Mutex(Outcome())
        let behaviour: Behaviour
        let ended: EventLoopPromise<Void>

        init(_ behaviour: Behaviour, ended: EventLoopPromise<Void>) {
            self.behaviour = behaviour
            self.ended = ended
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var buffer = unwrapInboundIn(data)
            if behaviour.echoes { context.writeAndFlush(wrapOutboundOut(buffer), promise: nil) }
            outcome.withLock {
                $0.count += buffer.readableBytes
                if behaviour.keeps { $0.received.writeBuffer(&buffer) }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .inputClosed? = event as? ChannelEvent else { return }
            outcome.withLock { $0.inputClosed = true }
            if behaviour.echoes { context.close(mode: .output, promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            outcome.withLock { $0.errors.append(error) }
        }

        func channelInactive(context: ChannelHandlerContext) { ended.succeed() }
    }

    /// A connection with its handshake, and what came over it.
    struct Connection: Sendable {
        let channel: any Channel
        let handshake: EventLoopFuture<TLSHandshakeCompleted>
        let collector: Collector

        var kinds: [TLSError.Kind] {
            collector.outcome.withLock { $0.errors.compactMap { ($0 as? TLSError)?.kind } }
        }
        var received: ByteBuffer { collector.outcome.withLock { $0.received } }
        func end() async throws { try await collector.ended.futureResult.get() }
    }

    /// Records the encrypted bytes that are sent.
    final class Tap: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        let sent = Mutex<[UInt8]>([])

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            sent.withLock { $0.append(contentsOf: unwrapOutboundIn(data).readableBytesView) }
            context.write(data, promise: promise)
        }
    }

    static func connect(
        _ settings: TLSClientSettings, port: Int, halfClosure: Bool = false, keeps: Bool = true,
        tap: Tap = Tap()
    ) async throws -> Connection {
        let loop = group.next()
        let handshake = loop.makePromise(of: TLSHandshakeCompleted.self)
        let collector = Collector(Behaviour(echoes: false, keeps: keeps), ended: loop.makePromise())
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: halfClosure)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        tap, TLSChannelHandler(client: settings, handshake: handshake), collector,
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return Connection(channel: channel, handshake: handshake.futureResult, collector: collector)
    }

    /// A server that sends back what it gets, and its first connection.
    struct Server: Sendable {
        let channel: any Channel
        let first: EventLoopFuture<Connection>

        var port: Int { channel.localAddress?.port ?? 0 }
        func close() async throws { try await channel.close().get() }
    }

    static func serve(_ settings: TLSServerSettings, _ behaviour: Behaviour = Behaviour()) async throws
        -> Server
    {
        let first = group.next().makePromise(of: Connection.self)
        let channel = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: behaviour.halfCloses)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handshake = channel.eventLoop.makePromise(of: TLSHandshakeCompleted.self)
                    let collector = Collector(behaviour, ended: channel.eventLoop.makePromise())
                    try channel.pipeline.syncOperations.addHandlers([
                        TLSChannelHandler(server: settings, handshake: handshake), collector,
                    ])
                    first.succeed(
                        Connection(channel: channel, handshake: handshake.futureResult, collector: collector))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.closeFuture.whenComplete { _ in first.fail(ChannelError.ioOnClosedChannel) }
        return Server(channel: channel, first: first.futureResult)
    }
}
