package import NIOCore

extension TLSChannelHandler {
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .all: close(context, promise: promise)
        case .output: closeOutput(context, promise: promise)
        case .input: context.close(mode: .input, promise: promise)
        }
    }

    func close(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        if phase == .open { end(context) }
        switch phase {
        case .open:
            phase = .closing
            closed.setOrCascade(to: promise)
            closeWhenSent(context)
        case .closing:
            closed.setOrCascade(to: promise)
        case .waiting, .handshaking, .closed:
            finish(with: TLSError.closedEarly)
            context.close(mode: .all, promise: promise)
        }
    }

    private func closeOutput(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        guard !hasEnded else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        // Without a handshake there is nothing that could go on in the other direction.
        guard phase == .open, !peerHasEnded else { return close(context, promise: promise) }
        end(context)
        guard phase == .open else { return close(context, promise: promise) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        flushLast(context, promise: sent)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: promise)
        }
    }

    /// Something cannot be mended: the peer gets OpenSSL's alert, the application the error.
    func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
        guard phase != .closed, phase != .closing else { return }
        phase = .closing
        failWrites(error)
        handshake?.fail(error)
        handshake = nil
        context.fireErrorCaught(error)
        closeWhenSent(context)
    }

    /// Encrypts what was flushed and the word that nothing follows.
    private func end(_ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        encryptMarked(context)
        guard phase == .open, !hasEnded else { return }
        hasEnded = true
        failWrites(ChannelError.ioOnClosedChannel)
        connection.close()
    }

    private func flushLast(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>) {
        let bytes = connection.takeOutgoing() ?? ByteBuffer()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    /// Closes when the network has taken what is left, or takes too long over it.
    private func closeWhenSent(_ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeLimit) {
            self.closeNow(context)
        }
        sent.futureResult.assumeIsolated().whenComplete { _ in
            deadline.cancel()
            self.closeNow(context)
        }
        flushLast(context, promise: sent)
    }

    private func closeNow(_ context: ChannelHandlerContext) {
        guard phase == .closing else { return }
        phase = .closed
        let promise = closed
        closed = nil
        context.close(mode: .all, promise: promise)
    }
}
