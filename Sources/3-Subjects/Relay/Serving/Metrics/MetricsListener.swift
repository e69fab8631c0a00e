import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Serves `/metrics`, `/health` and `/ready` over HTTP/1.1, to few clients at once.
final class MetricsListener: Sendable {
    let port: UInt16
    private let listener: any Channel

    /// Connections at once. Each has one request.
    private static let mostConnections = 16
    /// For a connection with its request and the answer.
    private static let patience = TimeAmount.seconds(15)

    /// - Parameters:
    ///   - address: of this machine, as numbers.
    ///   - port: 0 for any free one.
    ///   - group: stays the caller's.
    ///   - page: what it has to say.
    /// - Throws: ``XFTPRelayError`` when the address cannot be listened on.
    init(
        _ address: String, port: UInt16, group: any EventLoopGroup, page: MetricsPage
    ) async throws {
        let open = OpenCount()
        do {
            let place = try SocketAddress(ipAddress: address, port: Int(port))
            listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard open.admit(channel, most: Self.mostConnections) else {
                            throw ChannelError.inappropriateOperationForState
                        }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                        try pipeline.addHandler(MetricsRequestHandler(page))
                        channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
                    }
                }
                .bind(to: place).get()
        } catch {
            throw RelayServer.cannotListen(on: address, port, error)
        }
        self.port = UInt16(exactly: listener.localAddress?.port ?? 0) ?? 0
    }

    func stop() async { try? await listener.close() }

    private final class OpenCount: Sendable {
        private let count = Mutex(0)

        func admit(_ channel: any Channel, most: Int) -> Bool {
            let isAdmitted = count.withLock { count in
                guard count < most else { return false }
                count += 1
                return true
            }
            if isAdmitted { channel.closeFuture.whenComplete { [self] _ in count.withLock { $0 -= 1 } } }
            return isAdmitted
        }
    }
}

/// Answers one request, and closes.
private final class MetricsRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let page: MetricsPage
    private var head: HTTPRequestHead?
    private var hasAnswered = false

    init(_ page: MetricsPage) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head, !hasAnswered else { return }
            hasAnswered = true
            answer(head, context)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.method == .GET || head.method == .HEAD else {
            return write(.init(status: 405, text: "only GET\n"), isHead: false, context)
        }
        let path = String(head.uri.prefix { $0 != "?" })
        page.answer(path, on: context.eventLoop).assumeIsolated().whenSuccess { [self] answer in
            write(answer, isHead: head.method == .HEAD, context)
        }
    }

    private func write(_ answer: MetricsPage.Answer, isHead: Bool, _ context: ChannelHandlerContext) {
        let headers: HTTPHeaders = [
            "content-type": answer.type, "content-length": "\(answer.text.utf8.count)",
            "cache-control": "no-store", "connection": "close",
        ]
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.text)))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
