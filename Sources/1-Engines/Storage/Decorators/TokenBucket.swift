import Synchronization

/// Fills with so many bytes a second, which whoever transfers takes out.
///
/// It may be overdrawn by one transfer, however large: the next ones wait until that is paid. So a file is sent at once, and the
/// rate is right over several files.
final class TokenBucket: Sendable {
    private struct State {
        var balance: Double
        var last: ContinuousClock.Instant
    }

    private let rate: Double
    private let clock: StorageClock
    private let state: Mutex<State>

    /// - Parameters:
    ///   - rate: in bytes a second. At most what comes in one second is kept.
    ///   - clock: waits.
    init(_ rate: Int64, _ clock: StorageClock) {
        self.rate = Double(max(1, rate))
        self.clock = clock
        state = Mutex(State(balance: self.rate, last: clock.now()))
    }

    /// Waits until nothing is owed, then takes bytes out.
    /// - Throws: whatever `checkpoint` throws; nothing is taken then.
    func take(_ count: Int, _ checkpoint: () throws -> Void) throws {
        try checkpoint()
        while let pause = claim(count) { try clock.wait(pause, checkpoint) }
    }

    /// Takes bytes out that were transferred already.
    func charge(_ count: Int) { state.withLock { $0.balance -= Double(count) } }

    /// - Returns: nil where the bytes were taken, otherwise how long it takes until they can be.
    private func claim(_ count: Int) -> Duration? {
        state.withLock { state in
            let now = clock.now()
            state.balance = min(rate, state.balance + rate * ((now - state.last) / .seconds(1)))
            state.last = now
            guard state.balance < 0 else {
                state.balance -= Double(count)
                return nil
            }
            return max(.milliseconds(1), .seconds(-state.balance / rate))
        }
    }
}
