package import NIOCore

/// TLS in a pipeline: encrypted bytes toward the network, plaintext ones toward the application.
///
/// When TLS is set up it fires ``TLSHandshakeCompleted`` as a user event, before the first bytes. A handler that takes
/// bytes has to be behind it by then: put it there in the channel's initializer, or while the event is handled.
/// What is written earlier waits. A failure is fired as ``TLSError`` and closes the channel; there is no limit of time
/// for the handshake here.
///
/// `close()` first sends what was flushed and the word that nothing follows, and waits some seconds at most for the
/// network to take them. `close(mode: .output)` does so and leaves the other direction open. When the peer ends its
/// direction, the channel is closed, unless its option `allowRemoteHalfClosure` is set: then
/// `ChannelEvent.inputClosed` is fired. A connection that ends without the peer's word is `TLSError.Kind.truncated`.
package final class TLSChannelHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    enum Phase {
        /// The channel is not connected.
        case waiting
        case handshaking
        case open
        /// The last bytes are on their way to the network.
        case closing
        case closed
    }

    let connection: TLSConnection
    var phase = Phase.waiting
    var handshake: EventLoopPromise<TLSHandshakeCompleted>?

    /// Plain bytes to be written.
    var writes = MarkedCircularBuffer<(ByteBuffer, EventLoopPromise<Void>?)>(initialCapacity: 8)
    var pendingBytes = 0
    var isEncrypting = false
    /// Completed when the encrypted bytes that are handed on next are written.
    var written: EventLoopPromise<Void>?

    /// Bytes that OpenSSL said by itself since the handshake, and that the network has not taken.
    var unsentWords = 0

    /// Whether plaintext bytes were asked for and none have come since.
    private var wantsRead = false
    var hasEnded = false
    var peerHasEnded = false
    var closed: EventLoopPromise<Void>?

    /// The most plaintext bytes that are kept until the handshake is done. More than this ends the connection.
    package static let earlyWriteLimit = 4 << 20

    /// The most such bytes. A peer that makes OpenSSL answer and does not read is abandoned.
    static let wordLimit = 4096

    /// How long the network may take over the last bytes.
    static let closeLimit = TimeAmount.seconds(5)

    private init(_ connection: TLSConnection, _ handshake: EventLoopPromise<TLSHandshakeCompleted>?) {
        self.connection = connection
        self.handshake = handshake
    }

    /// - Parameters:
    ///   - settings: certificates, and what is asked of the peer.
    ///   - handshake: told the outcome of the handshake, or that the channel closed without one. When the
    ///     initializer throws, the promise is still the caller's.
    /// - Throws: ``TLSError`` when OpenSSL does not take the settings.
    package convenience init(
        client settings: TLSClientSettings, handshake: EventLoopPromise<TLSHandshakeCompleted>? = nil
    ) throws(TLSError) {
        self.init(try TLSConnection(client: settings), handshake)
    }

    /// - Parameters:
    ///   - settings: certificates, and what is asked of the peer.
    ///   - handshake: told the outcome of the handshake, or that the channel closed without one. When the
    ///     initializer throws, the promise is still the caller's.
    /// - Throws: ``TLSError`` when OpenSSL has no memory.
    package convenience init(
        server settings: TLSServerSettings, handshake: EventLoopPromise<TLSHandshakeCompleted>? = nil
    ) throws(TLSError) {
        self.init(try TLSConnection(server: settings), handshake)
    }

    deinit { handshake?.fail(TLSError.closedEarly) }

    // MARK: Coming and going

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        finish(with: TLSError.closedEarly)
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if phase == .waiting { start(context) }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        switch phase {
        case .waiting: finish(with: TLSError.closedEarly)
        case .handshaking: cut(context, .truncatedHandshake)
        case .open where !peerHasEnded: cut(context, .truncated)
        default: finish(with: ChannelError.ioOnClosedChannel)
        }
        context.fireChannelInactive()
    }

    private func cut(_ context: ChannelHandlerContext, _ error: TLSError) {
        finish(with: error)
        context.fireErrorCaught(error)
    }

    /// Nothing happens any more: whoever waits is told.
    func finish(with error: any Error) {
        phase = .closed
        failWrites(error)
        handshake?.fail(error)
        handshake = nil
        closed?.succeed()
        closed = nil
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        // The peer's own word came before, and was handed on.
        if peerHasEnded || phase == .closing || phase == .closed { return }
        fail(context, phase == .open ? .truncated : .truncatedHandshake)
    }

    // MARK: Handshake

    private func start(_ context: ChannelHandlerContext) {
        phase = .handshaking
        advance(context)
        if phase == .handshaking { context.read() }
    }

    private func advance(_ context: ChannelHandlerContext) {
        do throws(TLSError) {
            let isDone = try connection.handshake()
            guard isDone else { return send(context) }
            opened(context, try connection.result())
        } catch { fail(context, error) }
    }

    private func opened(_ context: ChannelHandlerContext, _ result: TLSHandshakeCompleted) {
        phase = .open
        // What waited goes out together with the end of the handshake.
        encryptMarked(context)
        send(context)
        context.flush()
        handshake?.succeed(result)
        handshake = nil
        if phase == .open { context.fireUserInboundEventTriggered(result) }
    }

    // MARK: Reading

    package func read(context: ChannelHandlerContext) {
        wantsRead = true
        context.read()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .handshaking || phase == .open else { return }
        var buffer = unwrapInboundIn(data)
        connection.receive(&buffer)
        if phase == .handshaking { advance(context) }
        if phase == .open { decrypt(context) }
        // Answers that OpenSSL gives by itself.
        if phase == .open { send(context) }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The application waits for bytes, and what came was not yet a record.
        if phase == .handshaking || (phase == .open && wantsRead && !peerHasEnded) { context.read() }
    }

    private func decrypt(_ context: ChannelHandlerContext) {
        while phase == .open, !peerHasEnded {
            let size = min(max(connection.expectedBytes, 256), 64 << 10)
            var plain = context.channel.allocator.buffer(capacity: size)
            var reading = Result { () throws(TLSError) in try connection.read(into: &plain) }
            while case .success(.bytes) = reading, plain.writableBytes > 0 {
                reading = Result { () throws(TLSError) in try connection.read(into: &plain) }
            }
            if plain.readableBytes > 0 {
                wantsRead = false
                context.fireChannelRead(wrapInboundOut(plain))
            }
            switch reading {
            case .success(.bytes): continue
            case .success(.wantsMore): return
            case .success(.ended): return peerEnded(context)
            case .failure(let error): return fail(context, error)
            }
        }
    }

    private func peerEnded(_ context: ChannelHandlerContext) {
        guard phase == .open else { return }
        peerHasEnded = true
        let option = try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)
        if option == true, !hasEnded {
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            close(context, promise: nil)
        }
    }
}
