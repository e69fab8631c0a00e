package import NIOCore

extension TLSChannelHandler {
    /// Encrypted bytes are handed on in pieces of this size at most. Who writes is told when a piece has gone to the
    /// network, and over a slow link that is all the progress that is to be seen.
    private static let pieceSize = TLSConnection.fullRecordSize

    /// Plain bytes that were not flushed are encrypted when there are that many, so that the channel counts them and
    /// tells when it is full.
    private static let unflushedLimit = 64 << 10

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase != .closing, phase != .closed else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard !hasEnded else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        let buffer = unwrapOutboundIn(data)
        writes.append((buffer, promise))
        pendingBytes += buffer.readableBytes
        if phase == .open {
            guard pendingBytes >= Self.unflushedLimit else { return }
            writes.mark()
            encryptMarked(context)
        } else if pendingBytes > Self.earlyWriteLimit {
            fail(context, TLSError(.failed, "too much data written before the TLS handshake completed"))
        }
    }

    package func flush(context: ChannelHandlerContext) {
        writes.mark()
        if phase == .open, writes.hasMark { encryptMarked(context) }
        context.flush()
    }

    /// Encrypts what is marked and hands it on; the caller flushes.
    func encryptMarked(_ context: ChannelHandlerContext) {
        // Whoever is told of a write may write again; the loop below takes that in its turn.
        guard writes.hasMark, !isEncrypting else { return }
        isEncrypting = true
        defer {
            isEncrypting = false
            connection.forgetPartial()
            if phase != .open { failWrites(ChannelError.ioOnClosedChannel) }
        }
        reserve(context)
        do throws(TLSError) {
            while writes.hasMark {
                var (buffer, promise) = writes.removeFirst()
                pendingBytes -= buffer.readableBytes
                defer { written.setOrCascade(to: promise) }
                while buffer.readableBytes > 0 {
                    try connection.pack(&buffer)
                    if buffer.readableBytes == 0, connection.isSealed {
                        written.setOrCascade(to: promise)
                        promise = nil
                    }
                    guard connection.outgoing.writableBytes < TLSConnection.fullRecordSize else { continue }
                    handOn(context)
                    // The write below may have ended in a closed channel.
                    guard phase == .open else { return }
                    reserve(context)
                }
            }
            try connection.seal()
        } catch { return fail(context, error) }
        handOn(context)
    }

    private func reserve(_ context: ChannelHandlerContext) {
        let records = pendingBytes / TLSConnection.recordSize + 2
        let size = min(records * TLSConnection.fullRecordSize, Self.pieceSize)
        connection.reserve(size, plaintext: pendingBytes, context.channel.allocator)
    }

    private func handOn(_ context: ChannelHandlerContext) {
        let promise = written
        written = nil
        if let bytes = connection.takeOutgoing() {
            context.write(wrapOutboundOut(bytes), promise: promise)
        } else if let promise {
            // A write of no bytes is done when those before it are.
            context.write(wrapOutboundOut(ByteBuffer()), promise: promise)
        }
    }

    /// Hands on what OpenSSL has to say by itself.
    func send(_ context: ChannelHandlerContext) {
        guard let bytes = connection.takeOutgoing() else { return }
        guard phase == .open else { return context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
        let count = bytes.readableBytes
        guard unsentWords + count <= Self.wordLimit else {
            return fail(
                context, TLSError(.protocolViolation, "the peer requests replies but does not read them"))
        }
        unsentWords += count
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in self.unsentWords -= count }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
    }

    func failWrites(_ error: any Error) {
        pendingBytes = 0
        written?.fail(error)
        written = nil
        while let (_, promise) = writes.popFirst() { promise?.fail(error) }
    }
}
