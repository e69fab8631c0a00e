import Logging
import NIOCore
import NIOHTTP2
import ValiseXFTPWire

/// Who is too slow makes space for others.
extension ServedConnection {
    private static let longestPause = TimeAmount.seconds(1)

    /// Looks after a quarter of the shortest time, at the latest after a second.
    func scheduleCheck() {
        guard let context else { return }
        let limits = service.limits
        let times = [
            limits.handshakeTime, limits.requestTime, limits.uploadTime, limits.downloadTime,
            limits.progressTime, limits.idleTime ?? limits.requestTime,
        ]
        let pause = min(Self.longestPause, TimeAmount(times.min()! / 4))
        check = context.eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
            checkDeadlines(.now())
            if check != nil { scheduleCheck() }
        }
    }

    private func checkDeadlines(_ now: NIODeadline) {
        let limits = service.limits
        let isOpen = session == nil || session?.version != nil
        if !isOpen, now - opened > TimeAmount(limits.handshakeTime) { return drop(.tooLate) }
        if inFlight > 0, now - lastProgress > TimeAmount(limits.progressTime) { return drop(.tooSlow) }
        if streams.isEmpty, inFlight == 0, let idle = limits.idleTime, now - lastRequest > TimeAmount(idle) {
            end()
        }
        for stream in Array(streams.values) { checkDeadlines(of: stream, now) }
        startCommands()  // transfers of other connections may have ended
        settle()
    }

    private func drop(_ fault: ConnectionFault) {
        log.debug("connection ended", metadata: ["error": .failure(fault)])
        countMisbehaviour()
        // TLS takes some seconds over its last words.
        check?.cancel()
        check = nil
        isEnding = true
        context?.close(promise: nil)
    }

    /// Once for each connection.
    func countMisbehaviour() {
        if !isDropped { service.counters.update { $0.misbehaved += 1 } }
        isDropped = true
    }

    private func checkDeadlines(of stream: ServedStream, _ now: NIODeadline) {
        let limits = service.limits
        let age = now - stream.started
        switch stream.phase {
        case .head, .complete:
            if age > TimeAmount(limits.requestTime) { reset(stream, .cancel) }
        case .working:
            stream.checked = now
        case .storing(let chunk):
            // What waits for a thread, or for its turn, is not the client's fault.
            if stream.isAtWork || stream.isPaused { stream.checked = now }
            if age > TimeAmount(limits.uploadTime) || isStalled(stream, now) {
                refuse(chunk, .timeout, on: stream)
            }
        case .comparing(_, _, let request):
            if age > TimeAmount(limits.uploadTime) || isStalled(stream, now) {
                answer(.error(.timeout), to: request, on: stream)
            }
        case .sending(let chunk):
            if stream.isAtWork || stream.isPaused || chunk.waitsForBuffers { stream.checked = now }
            if age > TimeAmount(limits.downloadTime) || isStalled(stream, now) { reset(stream, .cancel) }
        case .answered:
            if age > TimeAmount(limits.downloadTime) || isStalled(stream, now) {
                reset(stream, stream.hasEnded ? .cancel : .noError)
            }
        }
    }

    /// Whether less was moved than has to be, in the time that there was for it.
    private func isStalled(_ stream: ServedStream, _ now: NIODeadline) -> Bool {
        guard now - stream.checked > TimeAmount(service.limits.progressTime) else { return false }
        defer {
            stream.checked = now
            stream.progress = 0
        }
        return stream.progress < service.limits.progressBytes
    }
}
