import NIOCore
import NIOHTTP2
import ValiseConcurrency

/// One request on its stream: gathers what the relay sends until somebody takes it, and tells a sender when there is
/// space for more. Lives on the connection's event loop.
///
/// What arrived and was not taken is at most ``enough`` and one window of the stream: beyond that the handler does
/// not read, and the relay gets no new window.
final class RelayStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// How many bytes wait here before reading stops.
    private static let enough = 64 * 1024

    private typealias Taking = (minimum: Int, promise: Promise<ByteBuffer>)
    private typealias Writing = Promise<Bool>

    private let health: ConnectionHealth
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var taking: Taking?
    private var writing: Writing?
    /// A read was asked for and has brought nothing yet.
    private var isReading = false
    private var failure: (any Error)?
    /// So many bytes are an answer, even while a body is being sent.
    private let answerSize: Int
    private var receivedInAll = 0
    private var waitingTime: WaitingTime?
    private let watch: UploadWatch?

    /// - Parameters:
    ///   - answerSize: in bytes.
    ///   - watch: of the connection, where this is an upload.
    init(answerSize: Int, health: ConnectionHealth, watch: UploadWatch?) {
        self.answerSize = answerSize
        self.health = health
        self.watch = watch
    }

    // MARK: The stream

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch?.uploadBegan()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        watch?.uploadEnded()
        fail(with: health.reasonOfLoss)
        waitingTime?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        readIfWanted()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers): if headers.endStream { hasEnded = true }
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data { receive(bytes) }
            if data.endStream { hasEnded = true }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        serve()
        // A sender learns of the answer at once, not when there is space again.
        if isAnswered { resumeWriting() }
        readIfWanted()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { resumeWriting() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { lose(context, error) }

    func channelInactive(context: ChannelHandlerContext) { lose(context) }

    /// What was received before stays: an answer that is complete is not lost by what follows it. Why the connection
    /// ended is known when all its handlers have heard of it.
    private func lose(_ context: ChannelHandlerContext, _ error: (any Error)? = nil) {
        serve()
        // A relay that has begun to answer has worked on the request, whatever it says in the end.
        let error = receivedInAll == 0 ? error : nil
        context.eventLoop.assumeIsolated().execute { self.fail(with: self.health.reasonOfLoss(of: error)) }
    }

    private func receive(_ bytes: ByteBuffer) {
        receivedInAll += bytes.readableBytes
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeImmutableBuffer(bytes)
        }
    }

    private func readIfWanted() {
        guard let context, !isReading, !hasEnded, failure == nil, received.readableBytes < Self.enough else {
            return
        }
        isReading = true
        context.read()
    }

    // MARK: What the owner asks for

    /// Gives all that has arrived as soon as it is `minimum` bytes, or the stream's end; then it may be less or nothing.
    func take(atLeast minimum: Int, _ promise: Promise<ByteBuffer>) {
        precondition(taking == nil && writing == nil, "a stream is used by two")
        taking = (minimum, promise)
        waitingTime?.begin()
        serve()
        readIfWanted()
    }

    /// Sends frames, and says whether more is wanted when there is space for it.
    func write(_ payloads: [HTTP2Frame.FramePayload], _ wanted: Promise<Bool>) {
        precondition(taking == nil && writing == nil, "a stream is used by two")
        if isAnswered { return wanted.keep(.success(false)) }
        if let failure { return wanted.keep(.failure(failure)) }
        guard let context else { return wanted.keep(.failure(health.reasonOfLoss)) }
        for payload in payloads {
            if payload.endsStream { hasSentAll = true }
            context.write(wrapOutboundOut(payload), promise: promiseOfSending(context))
        }
        context.flush()
        writing = wanted
        waitingTime?.begin()
        resumeWriting()
    }

    /// Kept when a frame left for the network, for which there has to be space in the relay's windows.
    private func promiseOfSending(_ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard let watch else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        watch.frameBegan()
        promise.futureResult.assumeIsolated().whenComplete { _ in watch.frameLeft() }
        return promise
    }

    /// Everything that waits and everything that is asked for later gets this error; the first one stays.
    func fail(with error: any Error) {
        if failure == nil { failure = error }
        serve()
        resumeWriting()
    }

    /// From now on the relay has so much time, however often it is waited for.
    func allow(_ time: TimeLimit, _ error: @escaping () -> any Error) {
        guard let context else { return }
        waitingTime?.cancel()
        waitingTime = WaitingTime(time, on: context.eventLoop, lastHeard: health.lastHeard) { [weak self] in
            self?.fail(with: error())
        }
    }

    /// Whether the relay ended the stream. What it sent may not be taken yet.
    private(set) var hasEnded = false

    private var hasSentAll = false

    /// Whether both sides have said all that a refusal, or an answer without a body, is made of.
    var lacksOnlyEnd: Bool { hasSentAll && !hasEnded && receivedInAll == answerSize }

    private var isAnswered: Bool { hasEnded || receivedInAll >= answerSize }

    private func serve() {
        guard let (minimum, promise) = taking else { return }
        if hasEnded || received.readableBytes >= minimum {
            taking = nil
            waitingTime?.pause()
            let bytes = received
            received = ByteBuffer()
            promise.keep(.success(bytes))
        } else if let failure {
            taking = nil
            promise.keep(.failure(failure))
        }
    }

    private func resumeWriting() {
        guard let promise = writing else { return }
        let result: Result<Bool, any Error>
        if isAnswered {
            result = .success(false)
        } else if let failure {
            result = .failure(failure)
        } else if context?.channel.isWritable == true {
            result = .success(true)
        } else {
            return
        }
        writing = nil
        waitingTime?.pause()
        promise.keep(result)
    }
}

extension HTTP2Frame.FramePayload {
    fileprivate var endsStream: Bool {
        switch self {
        case .headers(let headers): headers.endStream
        case .data(let data): data.endStream
        default: false
        }
    }
}
