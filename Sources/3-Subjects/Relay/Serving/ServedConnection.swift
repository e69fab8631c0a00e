import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import ValiseTLS
import ValiseXFTPWire

/// One connection of a client: requests in, answers out, over NIOHTTP2's frames.
///
/// Streams are not channels of their own: flow control is given back only for bytes that the store has taken, so that
/// the windows bound the memory, and answers are made only as far as the client's windows go.
final class ServedConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Settings that the official relay has.
    static let streamWindow = 1_048_575
    static let frameSize = 32_759
    /// Every connection begins with this (RFC 9113, §6.9.2).
    static let smallWindow = 65_535

    let service: RelayService
    let log: Logger
    private let place: ConnectionPlace
    /// What the place was last told.
    private var use = ConnectionPlace.Use.opening
    /// Nil where every request gets an empty answer.
    var session: RelaySession?
    let isWeb: Bool
    var context: ChannelHandlerContext?
    /// Of the connection, also when it has gone.
    private(set) var eventLoop: (any EventLoop)?

    var streams: [HTTP2StreamID: ServedStream] = [:] { didSet { tellUse() } }
    /// Memory for requests until their answers are sent, and for pieces of downloads.
    var requestBuffers: BufferAllowance
    var pieceBuffers: BufferAllowance
    /// Uploads and downloads.
    var transfers = 0
    /// What its client may move and announce.
    let allowance: ClientAllowance
    /// Downloads that wait for others to end.
    var waitingDownloads = CircularBuffer<(ServedStream, AuthorizedRequest)>()
    /// Commands on threads, and those that wait for one.
    var running = 0
    var waiting = CircularBuffer<(ServedStream, AuthorizedRequest)>()
    /// Streams that could send, were there space in buffers.
    var lackingBuffers = CircularBuffer<ServedStream>()

    /// Whose resets wait for their time.
    var untoldEnds = CircularBuffer<UntoldEnd>()
    var resets = ResetAllowance()
    var nextReset: Scheduled<Void>?

    /// What the client may still send on all streams, by HTTP/2's count.
    var receiveWindow = smallWindow
    /// What it may send at most.
    var windowTarget = smallWindow
    /// Bytes of bodies that the store has yet to take.
    var unconsumed = 0
    /// What a new stream may send, by the client's settings.
    var peerWindow = 65_535

    let opened = NIODeadline.now()
    var lastRequest = NIODeadline.now()
    /// When something last reached the system's buffers, of what was on its way.
    var lastProgress = NIODeadline.now()
    /// Bytes on their way.
    var inFlight = 0 { didSet { tellUse() } }
    /// No new requests are taken.
    var isEnding = false
    private var isClosing = false
    /// It was ended for a reason that is counted.
    var isDropped = false
    var check: Scheduled<Void>?

    init(
        service: RelayService, session: RelaySession?, isWeb: Bool, place: ConnectionPlace, log: Logger
    ) {
        self.service = service
        self.place = place
        self.session = session
        self.isWeb = isWeb
        self.log = log
        requestBuffers = BufferAllowance(own: RelayLimits.ownBuffers, shared: service.buffers)
        pieceBuffers = BufferAllowance(own: RelayLimits.ownBuffers, shared: service.buffers)
        allowance = service.traffic.allowance(of: place.address)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        eventLoop = context.eventLoop
        tellUse()
        scheduleCheck()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        abandonAll()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandonAll()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let payload):
            receive(payload.headers, ends: payload.endStream, on: frame.streamID)
        case .data(let payload):
            guard case .byteBuffer(let bytes) = payload.data, let stream = streams[frame.streamID] else {
                return
            }
            receive(bytes, padding: payload.paddingBytes ?? 0, ends: payload.endStream, on: stream)
        case .windowUpdate(let increment):
            guard let stream = streams[frame.streamID] else { return }
            stream.sendWindow += increment
            send(stream)
        case .settings(.settings(let settings)):
            for setting in settings where setting.parameter == .initialWindowSize {
                changeWindows(to: setting.value)
            }
        case .goAway(_, let reason, _):
            log.debug("the client is closing the connection", metadata: ["reason": "\(reason)"])
            isEnding = true
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        returnWindows()
        context.flush()
        closeWhenDone()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent:
            if event.streamID == .rootStream {
                receiveWindow = event.inboundWindowSize ?? receiveWindow
            } else {
                streams[event.streamID]?.receiveWindow = event.inboundWindowSize
            }
        case let event as NIOHTTP2StreamCreatedEvent:
            guard let stream = streams[event.streamID] else { break }
            stream.sendWindow += Int(event.localInitialWindowSize ?? 0) - peerWindow
            stream.receiveWindow = event.remoteInitialWindowSize.map(Int.init)
        case let event as StreamClosedEvent:
            forgetEnd(of: event.streamID)
            if let stream = streams.removeValue(forKey: event.streamID) { close(stream) }
        case is RelayStopping:
            end()
        case is PlaceIsNeeded:
            service.counters.update { $0.turnedAway += 1 }
            log.debug("closed to make way for another connection")
            if session?.version == nil { context.close(promise: nil) } else { end() }
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        log.debug("connection ended", metadata: ["error": .failure(error)])
        // Many clients just go; only what HTTP/2 or the limits forbid counts.
        if !(error is TLSError), !(error is IOError) { countMisbehaviour() }
        context.close(promise: nil)
    }

    private func changeWindows(to value: Int) {
        let change = value - peerWindow
        peerWindow = value
        for stream in streams.values {
            stream.sendWindow += change
            send(stream)
        }
    }

    private func tellUse() {
        let now: ConnectionPlace.Use =
            if session?.version == nil { .opening } else if streams.isEmpty, inFlight == 0 { .idle } else {
                .busy
            }
        guard now != use else { return }
        use = now
        place.change(to: now)
    }

    // MARK: End

    /// Takes no new requests; closes when the running ones have ended.
    ///
    /// The word for that, GOAWAY, comes last: there are clients that take it for the end of all their streams.
    func end() {
        isEnding = true
        closeWhenDone()
    }

    func closeWhenDone() {
        guard isEnding, streams.isEmpty, !isClosing else { return }
        tellAllEnds()
        guard inFlight == 0, let context else { return }
        isClosing = true
        let word = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
        context.writeAndFlush(wrapOutboundOut(word), promise: nil)
        context.close(promise: nil)
    }

    private func abandonAll() {
        check?.cancel()
        check = nil
        nextReset?.cancel()
        nextReset = nil
        untoldEnds.removeAll()
        let left = streams.values
        streams = [:]
        waiting.removeAll()
        waitingDownloads.removeAll()
        lackingBuffers.removeAll()
        for stream in left { close(stream) }
        windowTarget = releaseWindow()
    }
}
