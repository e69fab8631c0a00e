import NIOCore
import NIOHTTP2
import Synchronization
import ValiseXFTPWire

/// What becomes of a connection: how many requests are under way, whether more are taken, and why it ended.
final class ConnectionHealth: Sendable {
    private struct State {
        var active = 0
        var uses = 0
        var isRetired = false
        var failure: XFTPClientError?
        /// The last one that a relay takes which wants to go.
        var lastStream: HTTP2StreamID?
        /// When anything last came.
        var lastHeard = NIODeadline.now()
        /// Requests that found no space since the last one that did.
        var refusals = 0
    }

    /// A relay that refuses so often in a row is left for another connection to it: it may be about to stop.
    private static let mostRefusals = 6

    let relay: String
    private let state = Mutex(State())

    init(relay: String) { self.relay = relay }

    /// Whether new requests are taken.
    var isUsable: Bool { state.withLock { !$0.isRetired && $0.failure == nil } }

    /// How it ended, where that is known.
    var failure: XFTPClientError? { state.withLock { $0.failure } }

    /// What requests fail with when the connection has ended under them.
    var reasonOfLoss: XFTPClientError {
        failure
            ?? XFTPClientError(
                .connectionLost, "the relay closed the connection before its answer was complete",
                relay: relay)
    }

    /// What a request fails with when its stream ended before there was an answer.
    func reasonOfLoss(of stream: (any Error)?) -> XFTPClientError {
        switch stream {
        case let stream as NIOHTTP2Errors.StreamClosed where stream.errorCode == .refusedStream:
            .busy(relay: relay)
        case let stream as NIOHTTP2Errors.StreamClosed:
            if isPassedOver(stream.streamID) {
                .retired(relay: relay)
            } else {
                failure ?? .brokenOff(stream.errorCode, relay: relay)
            }
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: .retired(relay: relay)
        default: reasonOfLoss
        }
    }

    /// Whether the relay said that it does nothing of a request before it goes.
    private func isPassedOver(_ stream: HTTP2StreamID) -> Bool {
        state.withLock { state in state.lastStream.map { stream > $0 } ?? false }
    }

    func heard(at time: NIODeadline) { state.withLock { $0.lastHeard = time } }

    /// When the relay last gave a sign of life.
    func lastHeard() -> NIODeadline { state.withLock { $0.lastHeard } }

    /// The relay had space for a request.
    func taken() { state.withLock { $0.refusals = 0 } }

    /// It had none.
    /// - Returns: whether to take another connection.
    func refused() -> Bool {
        state.withLock { state in
            state.refusals += 1
            return state.refusals >= Self.mostRefusals
        }
    }

    /// The relay goes, and takes requests up to this one.
    /// - Returns: as ``retire()``.
    func retire(after last: HTTP2StreamID) -> Bool {
        state.withLock { $0.lastStream = last }
        return retire()
    }

    /// - Returns: whether a request may begin. Then ``end()`` has to follow.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isRetired, state.failure == nil else { return false }
            state.active += 1
            state.uses += 1
            return true
        }
    }

    /// - Returns: what is to be done with the connection now.
    func end() -> Consequence {
        state.withLock { state in
            state.active -= 1
            guard state.active == 0 else { return .none }
            return state.isRetired || state.failure != nil ? .close : .idle
        }
    }

    enum Consequence {
        case none
        /// Nobody uses it at the moment.
        case idle
        /// Nobody uses it any more.
        case close
    }

    /// Takes no more requests. Those under way go on.
    /// - Returns: whether nobody uses the connection, so that it can be closed.
    @discardableResult
    func retire() -> Bool {
        state.withLock { state in
            state.isRetired = true
            return state.active == 0
        }
    }

    /// How often it was used.
    var useCount: Int { state.withLock { $0.uses } }

    /// - Returns: whether nobody used it since, so that it is retired now.
    func retireIfIdle(since use: Int) -> Bool {
        state.withLock { state in
            guard state.active == 0, state.uses == use else { return false }
            state.isRetired = true
            return true
        }
    }

    /// The first failure is the one that counts.
    func fail(_ error: XFTPClientError) {
        state.withLock { if $0.failure == nil { $0.failure = error } }
    }
}
