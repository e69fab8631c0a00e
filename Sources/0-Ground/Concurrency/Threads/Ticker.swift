import Synchronization

/// Does something again and again on a thread of its own, until it is stopped or nobody has it any more.
package final class Ticker: Sendable {
    private let stopping = Gate()
    private let isStopped = Atomic(false)
    private let turn = Mutex(())
    private let body: @Sendable () -> Void

    /// - Parameters:
    ///   - pause: between the end of one call and the begin of the next, and before the first.
    ///   - body: keeps no reference to whoever has the ticker but a weak one.
    package init(every pause: Duration, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        WorkerThread.start { [weak self, stopping] in
            while !stopping.wait(atMost: pause), self?.tick() == true {}
        }
    }

    deinit { stopping.signal() }

    private func tick() -> Bool {
        turn.withLock { _ in
            guard !isStopped.load(ordering: .acquiring) else { return false }
            body()
            return true
        }
    }

    /// Waits for a call that is going on; there is none after this. Not to be called by the body.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        stopping.signal()
        turn.withLock { _ in }
    }
}
