/// When a stream of HTTP/2 may be reset: the official programs close a connection on which more than four a second are
/// (XFTP fact sheet, §2.2).
package struct ResetAllowance: Sendable {
    static let resetsPerPeriod = 3
    /// In nanoseconds.
    static let period: UInt64 = 1_200_000_000

    private var lastTimes: [UInt64] = []

    package init() {}

    /// Takes the next free time, which is not before `now`; both in nanoseconds of a clock that only goes forward.
    package mutating func nextTime(now: UInt64) -> UInt64 {
        var time = max(now, lastTimes.last ?? now)
        if lastTimes.count == Self.resetsPerPeriod {
            time = max(time, lastTimes.removeFirst() + Self.period)
        }
        lastTimes.append(time)
        return time
    }
}
