import NIOCore

/// Who moves more than may be moved waits.
extension ServedConnection {
    /// Takes bytes out of what the client and all may move.
    ///
    /// What waits is bounded: a download has no buffer yet, and an upload its window, which is not given back.
    ///
    /// - Parameters:
    ///   - bytes: that are to be moved next.
    ///   - direction: of the bytes.
    ///   - stream: is paused where they have to wait.
    ///   - next: is called after the pause.
    /// - Returns: whether they may be moved now.
    func pay(
        _ bytes: Int, _ direction: TrafficAllowance.Direction, on stream: ServedStream,
        then next: @escaping (ServedStream) -> Void
    ) -> Bool {
        guard !stream.isPaused else { return false }
        let lacking = bytes - stream.paid
        guard lacking > 0 else { return true }
        let pause = allowance.take(lacking, direction)
        stream.paid = bytes
        guard pause > .zero, let context else { return true }
        stream.isPaused = true
        service.metrics.notePause(direction)
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [self] in
            stream.isPaused = false
            guard !stream.isClosed, self.context != nil else { return }
            next(stream)
            settle()
        }
        return false
    }
}
