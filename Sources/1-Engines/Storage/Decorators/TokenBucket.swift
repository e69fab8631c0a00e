import Synchronization
import ValiseConcurrency

/// Fills with so many bytes a second, which whoever transfers takes out.
///
/// It may be overdrawn by one transfer, however large: the next ones wait until that is paid. So a file is sent at once, and the
/// rate is right over several files.
final class TokenBucket: Sendable {
    private let clock: StorageClock
    private let allowance: Mutex<RateAllowance>

    /// - Parameters:
    ///   - rate: in bytes a second. At most what comes in one second is kept.
    ///   - clock: waits.
    init(_ rate: Int64, _ clock: StorageClock) {
        self.clock = clock
        allowance = Mutex(RateAllowance(perSecond: Double(max(1, rate)), now: clock.now()))
    }

    /// Waits until nothing is owed, then takes bytes out.
    /// - Throws: whatever `checkpoint` throws; nothing is taken then.
    func take(_ count: Int, _ checkpoint: () throws -> Void) throws {
        try checkpoint()
        while let pause = claim(count) { try clock.wait(pause, checkpoint) }
    }

    /// Takes bytes out that were transferred already.
    func charge(_ count: Int) { allowance.withLock { $0.charge(Double(count)) } }

    /// - Returns: nil where the bytes were taken, otherwise how long it takes until they can be.
    private func claim(_ count: Int) -> Duration? {
        allowance.withLock { allowance in
            let pause = allowance.pause(now: clock.now())
            guard pause == .zero else { return pause }
            allowance.charge(Double(count))
            return nil
        }
    }
}
