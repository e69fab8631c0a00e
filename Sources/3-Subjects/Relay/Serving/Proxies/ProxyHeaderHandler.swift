import NIOCore

/// Reads what a proxy says of a connection, and then leaves the pipeline.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private let identify: (Result<ProxyHeader.Source, ProxyFault>) -> Bool
    private var bytes = ByteBuffer()
    private var end: Scheduled<Void>?
    private var phase = Phase.reading

    private enum Phase {
        case reading
        /// The header is read, and the handler about to leave.
        case passing
        case ended
    }

    /// - Parameters:
    ///   - timeout: for the whole header.
    ///   - identify: is told who it is, or why that is not known; returns whether the connection may go on. Called once.
    init(timeout: TimeAmount, _ identify: @escaping (Result<ProxyHeader.Source, ProxyFault>) -> Bool) {
        self.timeout = timeout
        self.identify = identify
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        end = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [self] in
            guard phase == .reading else { return }
            phase = .ended
            _ = identify(.failure(.tooLate))
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if phase == .passing { return context.fireChannelRead(data) }
        guard phase == .reading else { return }
        var next = unwrapInboundIn(data)
        bytes.writeBuffer(&next)
        let header: ProxyHeader?
        do throws(ProxyFault) {
            header = try ProxyHeader.read(bytes.readableBytesView)
        } catch {
            return finish(context, .failure(error))
        }
        guard let header else { return }
        bytes.moveReaderIndex(forwardBy: header.size)
        finish(context, .success(header.source))
    }

    private func finish(_ context: ChannelHandlerContext, _ result: Result<ProxyHeader.Source, ProxyFault>) {
        phase = .ended
        end?.cancel()
        guard identify(result) else { return context.close(promise: nil) }
        phase = .passing
        let rest = bytes
        bytes = ByteBuffer()
        if rest.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(rest))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .ended
        end?.cancel()
        context.fireChannelInactive()
    }
}
