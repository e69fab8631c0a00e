import NIOCore
import NIOEmbedded
import ValiseTLS

/// One end of a connection without a network.
final class TLSEnd {
    let channel = EmbeddedChannel()
    let events = Events()
    /// All encrypted bytes that it sent.
    var sent: [UInt8] = []
    private var endWasDelivered = false

    /// What comes out of a handler toward the application.
    final class Events: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var received = ByteBuffer()
        /// In how many pieces that came.
        var pieces = 0
        var completed: TLSHandshakeCompleted?
        var errors: [any Error] = []
        var inputClosed = false
        var inactive = false
        var onRead: (ChannelHandlerContext) -> Void = { _ in }
        var onCompleted: (ChannelHandlerContext) -> Void = { _ in }

        var kinds: [TLSError.Kind] { errors.compactMap { ($0 as? TLSError)?.kind } }
        var text: String { String(buffer: received) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var buffer = unwrapInboundIn(data)
            received.writeBuffer(&buffer)
            pieces += 1
            onRead(context)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let completed = event as? TLSHandshakeCompleted {
                self.completed = completed
                onCompleted(context)
            }
            if case .inputClosed? = event as? ChannelEvent { inputClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append(error) }
        func channelInactive(context: ChannelHandlerContext) { inactive = true }
    }

    let handler: TLSChannelHandler

    init(_ handler: TLSChannelHandler) throws {
        self.handler = handler
        try channel.pipeline.syncOperations.addHandlers([handler, events])
    }

    func connect() throws {
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
    }

    /// The outcome is looked at where the test wants it.
    func write(_ text: String) throws { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// Takes everything that was handed to the network.
    func takeSent() throws -> ByteBuffer {
        var all = ByteBuffer()
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) { all.writeBuffer(&bytes) }
        sent.append(contentsOf: all.readableBytesView)
        return all
    }

    /// Delivers bytes of the network. Errors are recorded by the handlers.
    func deliver(_ bytes: ByteBuffer) {
        if channel.isActive { _ = try? channel.writeInbound(bytes) }
    }

    /// Plays the end of the stream that the other side has closed.
    func deliverEnd() {
        guard channel.isActive, !endWasDelivered else { return }
        endWasDelivered = true
        channel.pipeline.fireChannelInactive()
    }
}

/// A client and a server back to back.
final class TLSPair {
    let client: TLSEnd
    let server: TLSEnd
    /// Bytes pass through here on their way.
    var onWire: (ByteBuffer, _ fromClient: Bool) -> ByteBuffer = { bytes, _ in bytes }
    /// Largest piece that is delivered at once.
    var pieceSize = Int.max

    init(
        _ clientSettings: TLSClientSettings, _ serverSettings: TLSServerSettings,
        clientPromise: EventLoopPromise<TLSHandshakeCompleted>? = nil
    ) throws {
        client = try TLSEnd(TLSChannelHandler(client: clientSettings, handshake: clientPromise))
        server = try TLSEnd(TLSChannelHandler(server: serverSettings))
    }

    func connect() throws {
        try server.connect()
        try client.connect()
        try exchange()
    }

    /// Delivers until neither side has anything left to say.
    func exchange() throws {
        while true {
            let fromClient = try move(from: client, to: server, true)
            let fromServer = try move(from: server, to: client, false)
            guard fromClient || fromServer else { return }
        }
    }

    private func move(from source: TLSEnd, to target: TLSEnd, _ fromClient: Bool) throws -> Bool {
        let sent = try source.takeSent()
        var rest = onWire(sent, fromClient)
        while let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)),
            piece.readableBytes > 0
        {
            target.deliver(piece)
        }
        if !source.channel.isActive { target.deliverEnd() }
        return sent.readableBytes > 0
    }

    /// How often the server asked for another key exchange.
    var helloRetries: Int {
        let mark: [UInt8] = [0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11]
        let bytes = server.sent
        guard bytes.count >= mark.count else { return 0 }
        return (0...bytes.count - mark.count).count { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
    }
}
