import NIOCore

/// Notices when all uploads of a connection stand still although the line is good, which is when they wait for space in the
/// relay's windows that nobody will give back. Lives on the connection's event loop.
final class UploadWatch {
    private let stall: UploadStall
    private let loop: any EventLoop
    private let ask: (_ number: UInt64) -> Void
    private let whenStalled: () -> Void
    private var uploads = 0
    /// All of the connection, those that have ended included.
    private var uploadsInAll = 0
    /// Frames that wait for space.
    private var waiting = 0
    /// When a frame last left, or began to wait where none did.
    private var lastMoved: NIODeadline
    /// What the relay was last asked, and whether anything moved since.
    private var question: UInt64 = 0
    private var isAsked = false
    private var answered: NIODeadline?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - ask: asks the relay for a sign of life, which it gives with the same number.
    ///   - whenStalled: ends the connection.
    init(
        _ stall: UploadStall, on loop: any EventLoop, ask: @escaping (_ number: UInt64) -> Void,
        whenStalled: @escaping () -> Void
    ) {
        self.stall = stall
        self.loop = loop
        self.ask = ask
        self.whenStalled = whenStalled
        lastMoved = loop.now
    }

    func uploadBegan() {
        uploads += 1
        uploadsInAll += 1
        look()
    }

    func uploadEnded() {
        uploads -= 1
        moved()
        if uploads == 0 { cancel() }
    }

    func frameBegan() {
        if waiting == 0 { moved() }
        waiting += 1
    }

    func frameLeft() {
        waiting -= 1
        moved()
    }

    /// An answer that comes late belongs to an earlier question, and says nothing of what was sent since.
    func relayAnswered(_ number: UInt64) {
        if isAsked, number == question, answered == nil { answered = loop.now }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func moved() {
        lastMoved = loop.now
        (isAsked, answered) = (false, nil)
    }

    /// The first upload of a connection has nothing to wait for but a relay that is slow, and another connection would be no
    /// better.
    private var mayBeStalled: Bool { waiting > 0 && uploadsInAll > 1 }

    private func look() {
        guard timer == nil, uploads > 0 else { return }
        var next = loop.now + TimeAmount(stall.idle)
        if mayBeStalled {
            if let answered {
                next = answered + TimeAmount(stall.afterAnswer)
                if next <= loop.now { return whenStalled() }
            } else if isAsked {
                next = loop.now + TimeAmount(stall.afterAnswer)
            } else if lastMoved + TimeAmount(stall.idle) <= loop.now {
                question += 1
                isAsked = true
                ask(question)
                next = loop.now + TimeAmount(stall.afterAnswer)
            } else {
                next = lastMoved + TimeAmount(stall.idle)
            }
        }
        timer = loop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in
            self?.timer = nil
            self?.look()
        }
    }
}
