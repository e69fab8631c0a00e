import NIOCore
import NIOHTTP2
import NIOSOCKS
import ValiseTLS

/// Puts a connection together from its end, one layer after the other: proxy, TLS, HTTP/2. Then it stays there and
/// notes how the connection ends.
///
/// Each layer is added when the one below is ready, so that none has to hold back what it wants to send.
final class ConnectionAssembly: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// What is known when TLS is ready.
    struct Result: Sendable {
        let multiplexer: NIOHTTP2Handler.StreamMultiplexer
        let handshake: TLSHandshakeCompleted
        let watch: NIOLoopBound<UploadWatch>
    }

    private let target: SOCKSAddress?
    private let tls: TLSClientSettings
    private let health: ConnectionHealth
    private let stall: UploadStall
    private var watch: UploadWatch?
    private var promise: EventLoopPromise<Result>?

    /// - Parameters:
    ///   - target: what a proxy is to connect to; nil without one.
    ///   - stall: when uploads are taken to wait for each other.
    ///   - promise: is kept when HTTP/2 is in place, and fails when the connection ends before.
    init(
        target: SOCKSAddress?, tls: TLSClientSettings, health: ConnectionHealth, stall: UploadStall,
        promise: EventLoopPromise<Result>
    ) {
        self.target = target
        self.tls = tls
        self.health = health
        self.stall = stall
        self.promise = promise
    }

    func handlerAdded(context: ChannelHandlerContext) {
        attempt(context) {
            if let target {
                try add(SOCKSClientHandler(targetAddress: target), context)
            } else {
                try add(TLSChannelHandler(client: tls), context)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is SOCKSProxyEstablishedEvent:
            attempt(context) { try add(TLSChannelHandler(client: tls), context) }
        case let handshake as TLSHandshakeCompleted:
            attempt(context) { try startHTTP2(handshake, context) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Of the connection itself only its end matters here; HTTP/2 sees to the rest.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .goAway(let last, _, _): if health.retire(after: last) { context.close(promise: nil) }
        case .ping(let answer, ack: true): watch?.relayAnswered(answer.integer)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        health.heard(at: .now())
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, with: error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch?.cancel()
        // TLS closes the channel before it says why.
        context.eventLoop.assumeIsolated().execute { self.note(self.health.reasonOfLoss) }
        context.fireChannelInactive()
    }

    // MARK: Steps

    private func add(_ handler: some ChannelHandler, _ context: ChannelHandlerContext) throws {
        try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
    }

    private func startHTTP2(_ handshake: TLSHandshakeCompleted, _ context: ChannelHandlerContext) throws {
        let handler = NIOHTTP2Handler(
            mode: .client, eventLoop: context.eventLoop, connectionConfiguration: HTTP2Limits.connection,
            streamConfiguration: HTTP2Limits.streams
        ) { pushed in pushed.close() }
        try add(handler, context)
        let multiplexer = try handler.syncMultiplexer()
        let watch = UploadWatch(stall, on: context.eventLoop, ask: { [weak self] in self?.ping(context, $0) })
        {
            [weak self] in self.map { $0.end(context, with: XFTPClientError.stalled(relay: $0.health.relay)) }
        }
        self.watch = watch
        promise?.succeed(
            Result(
                multiplexer: multiplexer, handshake: handshake,
                watch: NIOLoopBound(watch, eventLoop: context.eventLoop)))
        promise = nil
    }

    private func ping(_ context: ChannelHandlerContext, _ number: UInt64) {
        let ping = HTTP2Frame(
            streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: number), ack: false))
        context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
    }

    private func attempt(_ context: ChannelHandlerContext, _ step: () throws -> Void) {
        do { try step() } catch { end(context, with: error) }
    }

    private func end(_ context: ChannelHandlerContext, with error: any Error) {
        note(error)
        context.close(promise: nil)
    }

    /// The first error is the one that counts.
    private func note(_ error: any Error) {
        let error = XFTPClientError(ofConnection: error, relay: health.relay)
        health.fail(error)
        promise?.fail(error)
        promise = nil
    }
}

/// What is told to relays of how much they may send.
enum HTTP2Limits {
    /// What may be on its way to one stream, in bytes: with what waits for its reader, the memory of a download.
    static let streamWindow = 256 * 1024

    static var connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
            HTTP2Setting(parameter: .maxFrameSize, value: 32 * 1024),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16 * 1024),
        ]
        // As large as the official relay's own, so that several streams do not wait for each other.
        configuration.targetWindowSize = 1024 * 1024
        // The official relay ends a body with an empty frame, and an answer without body is one.
        configuration.maximumSequentialEmptyDataFrames = 4
        return configuration
    }

    static var streams: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.targetWindowSize = streamWindow
        configuration.outboundBufferSizeHighWatermark = 128 * 1024
        configuration.outboundBufferSizeLowWatermark = 64 * 1024
        return configuration
    }
}
