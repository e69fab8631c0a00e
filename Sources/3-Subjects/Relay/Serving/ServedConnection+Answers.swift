import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import ValiseXFTPWire

extension ServedConnection {
    /// In bytes; whether they are sent is counted by these.
    private static let slice = 16 << 10

    func answer(_ response: XFTPResponse, to request: AuthorizedRequest, on stream: ServedStream) {
        guard let session, !stream.isClosed else { return }
        if case .error(let error) = response {
            service.counters.update { $0.refused += 1 }
            service.metrics.note(error)
            log.debug(
                "refused", metadata: ["command": "\(request.command.name)", "error": "\(error.text)"])
        }
        respond(session.answer(response, to: request), on: stream)
    }

    /// The whole answer: a block, or nothing.
    func respond(_ block: [UInt8], on stream: ServedStream) {
        guard !stream.isClosed else { return }
        writeHeaders(on: stream, ends: block.isEmpty)
        if !block.isEmpty { write(ByteBuffer(bytes: block), ends: true, on: stream) }
        dropBody(of: stream)
        if !stream.isClosed { stream.phase = .answered(discarded: 0) }
        endTransfer(of: stream)
    }

    func writeHeaders(on stream: ServedStream, ends: Bool) {
        var headers = HPACKHeaders()
        headers.add(name: ":status", value: isWeb && stream.headers.method == .get ? "404" : "200")
        if isWeb { headers.addCrossOrigin(isQuestion: stream.headers.method == .options) }
        writeFrame(.headers(.init(headers: headers, endStream: ends)), on: stream, promise: nil)
    }

    /// - Parameter sent: is called when the bytes are with the system, or never will be.
    func write(_ bytes: ByteBuffer, ends: Bool, on stream: ServedStream, sent: (() -> Void)? = nil) {
        var rest = bytes
        while let slice = rest.readSlice(length: min(Self.slice, rest.readableBytes)) {
            let isLast = rest.readableBytes == 0
            writeSlice(slice, ends: ends && isLast, on: stream, sent: isLast ? sent : nil)
            if isLast { return }
        }
    }

    /// Over slow links a large piece takes longer than a transfer may be without progress.
    private func writeSlice(_ bytes: ByteBuffer, ends: Bool, on stream: ServedStream, sent: (() -> Void)?) {
        guard let context else { return }
        let count = bytes.readableBytes
        stream.sendWindow -= count
        stream.inFlight += count
        inFlight += count
        if inFlight == count { lastProgress = .now() }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            inFlight -= count
            stream.inFlight -= count
            stream.progress += count
            lastProgress = .now()
            sent?()
            if stream.isClosed, stream.inFlight == 0 { release(stream) }
        }
        writeFrame(.data(.init(data: .byteBuffer(bytes), endStream: ends)), on: stream, promise: promise)
    }

    func writeFrame(
        _ payload: HTTP2Frame.FramePayload, on stream: ServedStream, promise: EventLoopPromise<Void>?
    ) {
        writeFrame(HTTP2Frame(streamID: stream.id, payload: payload), promise: promise)
    }

    func writeFrame(_ frame: HTTP2Frame, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func dropBody(of stream: ServedStream) {
        unconsumed -= stream.body.count
        stream.body.removeAll()
    }

    // MARK: Buffers

    func hold(_ bytes: Int, for stream: ServedStream) -> Bool {
        guard requestBuffers.take(bytes) else { return false }
        stream.held += bytes
        return true
    }

    func release(_ stream: ServedStream) {
        requestBuffers.release(stream.held)
        stream.held = 0
    }

    // MARK: Windows

    /// Lets the client send what was taken care of.
    func returnWindows() {
        let missing = windowTarget - receiveWindow - unconsumed
        if missing >= min(Self.smallWindow, windowTarget / 2) {
            writeFrame(
                HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: missing)),
                promise: nil)
        }
        for stream in streams.values where !stream.hasEnded && !stream.isClosed {
            guard let window = stream.receiveWindow else { continue }
            let missing = Self.streamWindow - window - stream.body.count
            if missing >= Self.smallWindow {
                writeFrame(.windowUpdate(windowSizeIncrement: missing), on: stream, promise: nil)
            }
        }
    }

    /// For the first upload that is allowed, as far as there is memory for it.
    func widenWindow() {
        guard windowTarget == Self.smallWindow else { return }
        for target in [Self.streamWindow, Self.streamWindow / 4]
        where service.windows.take(target - Self.smallWindow) {
            windowTarget = target
            break
        }
    }

    func releaseWindow() -> Int {
        service.windows.release(windowTarget - Self.smallWindow)
        return Self.smallWindow
    }
}

extension HPACKHeaders {
    /// What browsers ask for before they let a page of another origin talk to the relay.
    fileprivate mutating func addCrossOrigin(isQuestion: Bool) {
        add(name: "access-control-allow-origin", value: "*")
        if isQuestion {
            add(name: "access-control-allow-methods", value: "POST, OPTIONS")
            add(name: "access-control-allow-headers", value: "*")
            add(name: "access-control-max-age", value: "86400")
        } else {
            add(name: "access-control-expose-headers", value: "*")
        }
    }
}
