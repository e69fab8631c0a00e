import NIOCore
import NIOHTTP2
import ValiseXFTPWire

/// How streams end before their answers do.
extension ServedConnection {
    /// A stream that is over for the relay, and whose client has yet to be told.
    struct UntoldEnd {
        let id: HTTP2StreamID
        let reason: HTTP2ErrorCode
    }

    /// Ends a stream without an answer. It holds nothing from now on; its client is told when it may be.
    func reset(_ stream: ServedStream, _ reason: HTTP2ErrorCode) {
        guard !stream.isClosed else { return }
        streams[stream.id] = nil
        close(stream)
        let end = UntoldEnd(id: stream.id, reason: reason)
        // HTTP/2 forgets its bytes when it writes this.
        if stream.inFlight > 0 { untoldEnds.prepend(end) } else { untoldEnds.append(end) }
        tellEnds()
    }

    /// It is gone for HTTP/2, or for the relay: whatever works for it stops.
    func close(_ stream: ServedStream) {
        guard !stream.isClosed else { return }
        stream.isClosed = true
        dropBody(of: stream)
        // What is on its way is still in memory.
        if stream.inFlight == 0 { release(stream) }
        switch stream.phase {
        case .working where !stream.isAtWork:
            waiting.removeAll { $0.0 === stream }
            waitingDownloads.removeAll { $0.0 === stream }
        case .storing(let chunk):
            abandon(chunk, of: stream)
        case .sending(let chunk):
            if chunk.waitsForBuffers { lackingBuffers.removeAll { $0 === stream } }
            abandon(chunk, of: stream)
        default: break
        }
        stream.phase = .answered(discarded: 0)
        endTransfer(of: stream)
    }

    // MARK: Words to the client

    /// As many as may be told now; the next ones follow.
    private func tellEnds() {
        guard let context, nextReset == nil else { return }
        while !untoldEnds.isEmpty {
            let now = NIODeadline.now()
            let time = NIODeadline.uptimeNanoseconds(resets.nextTime(now: now.uptimeNanoseconds))
            guard time > now else {
                tellNextEnd()
                continue
            }
            nextReset = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
                nextReset = nil
                tellNextEnd()
                tellEnds()
                settle()
            }
            return
        }
    }

    private func tellNextEnd() {
        guard let end = untoldEnds.popFirst() else { return }
        writeFrame(HTTP2Frame(streamID: end.id, payload: .rstStream(end.reason)), promise: nil)
    }

    /// Before the connection ends the client may be told all at once.
    func tellAllEnds() {
        while !untoldEnds.isEmpty { tellNextEnd() }
    }

    /// Both sides have ended it meanwhile.
    func forgetEnd(of id: HTTP2StreamID) { untoldEnds.removeAll { $0.id == id } }
}
