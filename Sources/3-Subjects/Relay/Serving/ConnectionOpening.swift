import Logging
import NIOCore
import NIOHTTP2
import ValiseTLS
import ValiseXFTPWire

/// Waits for TLS, and then puts HTTP/2 into its own place.
final class ConnectionOpening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let service: RelayService
    private let identity: RelayIdentity
    private let place: ConnectionPlace
    private let log: Logger
    private var timeout: Scheduled<Void>?

    init(service: RelayService, identity: RelayIdentity, place: ConnectionPlace, log: Logger) {
        self.service = service
        self.identity = identity
        self.place = place
        self.log = log
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.assumeIsolated().scheduleTask(
            in: TimeAmount(service.limits.tlsHandshakeTime)
        ) { [self] in
            fail(ConnectionFault.tooLate)
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as TLSHandshakeCompleted:
            do {
                try open(context, event)
            } catch {
                fail(error)
                context.close(promise: nil)
            }
        case is RelayStopping:
            context.close(promise: nil)
        case is PlaceIsNeeded:
            service.counters.update { $0.turnedAway += 1 }
            log.debug("closed during the TLS handshake to make way for another connection")
            context.close(promise: nil)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    private func fail(_ error: any Error) {
        service.counters.update { $0.failedHandshakes += 1 }
        log.debug("TLS handshake failed", metadata: ["error": .failure(error)])
    }

    private func open(_ context: ChannelHandlerContext, _ event: TLSHandshakeCompleted) throws {
        let mode = RelaySession.Mode(alpn: event.alpn, usedServerName: event.usedServerName)
        let session = mode.map { RelaySession(identity, sessionID: event.sessionID, mode: $0) }
        let connection = ServedConnection(
            service: service, session: session, isWeb: mode == .web, place: place, log: log)
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(
            [
                FrameRateHandler(limits: service.limits.frames),
                NIOHTTP2Handler(mode: .server, connectionConfiguration: .init(service.limits)),
                connection,
            ], position: .after(self))
        pipeline.removeHandler(context: context, promise: nil)
    }
}

/// Comes down the pipeline of every connection when the relay stops.
struct RelayStopping: Sendable {}

extension NIOHTTP2Handler.ConnectionConfiguration {
    init(_ limits: RelayLimits) {
        self.init()
        initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
            HTTP2Setting(parameter: .initialWindowSize, value: ServedConnection.streamWindow),
            HTTP2Setting(parameter: .maxFrameSize, value: ServedConnection.frameSize),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
        ]
        // An empty one may be the end of the body, and another is counted with the others.
        maximumSequentialEmptyDataFrames = limits.frames.empty
        maximumBufferedControlFrames = 200
        // All of them may have been refused, and what their clients had sent by then is still on its way.
        maximumRecentlyResetStreams = limits.streams
    }
}

extension TimeAmount {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
