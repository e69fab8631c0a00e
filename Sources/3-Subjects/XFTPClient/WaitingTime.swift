import NIOCore

/// How long a relay is waited for, with the caller's own work taken out.
struct TimeLimit: Sendable {
    /// So long it may be silent at a time: what moves is not abandoned.
    var silence: Duration
    /// So long it may take in all.
    var inAll: Duration
}

/// Counts how long a relay is waited for. Lives on an event loop.
final class WaitingTime {
    private let loop: any EventLoop
    private let silence: TimeAmount
    private var left: TimeAmount
    private var since: NIODeadline?
    private var timer: Scheduled<Void>?
    private let lastHeard: () -> NIODeadline
    private let whenOver: () -> Void

    /// - Parameter lastHeard: when the relay last gave a sign of life, be it for another request: they share a line.
    init(
        _ limit: TimeLimit, on loop: any EventLoop, lastHeard: @escaping () -> NIODeadline,
        whenOver: @escaping () -> Void
    ) {
        self.loop = loop
        silence = TimeAmount(limit.silence)
        left = TimeAmount(limit.inAll)
        self.lastHeard = lastHeard
        self.whenOver = whenOver
    }

    /// The relay is waited for from now on.
    func begin() {
        guard since == nil else { return }
        since = loop.now
        if timer == nil { arm(min(left, silence)) }
    }

    /// It has done what it was waited for.
    func pause() {
        guard let since else { return }
        left = left - (loop.now - since)
        self.since = nil
    }

    func cancel() {
        timer?.cancel()
        timer = nil
        since = nil
    }

    private func arm(_ time: TimeAmount) {
        let time = max(time, .milliseconds(1))
        timer = loop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.look() }
    }

    /// One timer serves for many waits: it looks what is left, and is set again where that is something.
    private func look() {
        timer = nil
        guard let since else { return }
        let now = loop.now
        let left = min(self.left - (now - since), silence - (now - max(since, lastHeard())))
        if left <= .nanoseconds(0) { whenOver() } else { arm(left) }
    }
}
