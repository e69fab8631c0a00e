/// A token bucket: fills at a rate, and whoever moves something takes out as much. It has no clock and does not wait; its owner does.
package struct RateAllowance: Sendable {
    private let rate: Double
    private let most: Double
    private var balance: Double
    private var last: ContinuousClock.Instant

    /// - Parameters:
    ///   - rate: for each second, above zero.
    ///   - most: what is kept at most, and there at first; nil for what comes in one second.
    ///   - now: the time at which it is full.
    package init(perSecond rate: Double, most: Double? = nil, now: ContinuousClock.Instant) {
        self.rate = rate
        self.most = most ?? rate
        balance = self.most
        last = now
    }

    private mutating func refill(_ now: ContinuousClock.Instant) {
        guard now > last else { return }
        balance = min(most, balance + rate * ((now - last) / .seconds(1)))
        last = now
    }

    /// How long it takes until nothing is owed.
    package mutating func pause(now: ContinuousClock.Instant) -> Duration {
        refill(now)
        return balance < 0 ? max(.milliseconds(1), .seconds(-balance / rate)) : .zero
    }

    /// Takes out what was moved already; it may be overdrawn.
    package mutating func charge(_ count: Double) { balance = min(most, balance - count) }

    /// Takes out what may be moved after a pause: when all that was taken before is paid.
    package mutating func reserve(_ count: Double, now: ContinuousClock.Instant) -> Duration {
        let pause = pause(now: now)
        charge(count)
        return pause
    }

    /// Takes out what is there in full.
    /// - Returns: false where less is there; nothing is taken then.
    package mutating func takeAll(_ count: Double, now: ContinuousClock.Instant) -> Bool {
        refill(now)
        guard balance >= count else { return false }
        charge(count)
        return true
    }
}
