package import ValiseEncoding

/// Which locks exclude each other, and which are stale. Times are in seconds; the clock is the caller's.
package enum LockRules {
    /// Older locks are stale: their owner ended without removing them.
    package static let staleAfter: Int64 = 30 * 60
    /// Our own is written anew this often.
    package static let refreshAfter: Int64 = 5 * 60
    /// Where no refresh succeeded for so long, all work stops: soon others may take the lock for stale.
    package static let stopAfter: Int64 = 22 * 60 + 30
    /// Between writing our lock and looking for those that were written at the same time.
    package static let settleMilliseconds: Int64 = 200

    /// The first lock that excludes one that is wanted; nil where there is none.
    ///
    /// - Parameters:
    ///   - isExclusive: whether the one that is wanted is.
    ///   - others: all locks but our own.
    package static func conflict(
        wantingExclusive isExclusive: Bool, among others: some Sequence<LockRecord>
    ) -> LockRecord? {
        others.first { isExclusive || $0.isExclusive }
    }

    /// Whether the owner of a lock is gone: it did not refresh it, or it ran on this machine and does not run any more.
    ///
    /// A lock of the future is not stale: one of both clocks is wrong, and nothing says which. A process of another machine
    /// cannot be asked for, also where both have the same name by accident; then the owner refreshes its lock, and its number
    /// here decides wrongly. That is the rule of restic, so it is what users who share names between machines have already.
    ///
    /// - Parameters:
    ///   - lock: of anyone.
    ///   - now: by the clock of the system.
    ///   - hostname: of this machine.
    ///   - isRunning: whether a process of this machine exists.
    package static func isStale(
        _ lock: LockRecord, now: UTCTime, hostname: String, isRunning: (Int64) -> Bool
    ) -> Bool {
        if now.seconds.subtractingSaturating(lock.time.seconds) > staleAfter { return true }
        return !hostname.isEmpty && lock.hostname == hostname && !isRunning(lock.processID)
    }
}

/// When our own lock has to be written again.
///
/// Two clocks measure: the time of day, by which others judge the lock, and one that is never set. The longer of both times
/// counts, so that neither a sleeping machine nor a clock that was set back keeps a lock alive that others may have removed.
package struct LockWatch: Sendable {
    /// What the owner of the lock does now.
    package enum Step: Sendable, Equatable {
        case work
        /// Write a new lock, then remove the previous one.
        case refresh
        /// Stop all work. It may continue where a refresh succeeds and the previous lock still exists: then nobody took the
        /// repository meanwhile.
        case stop
    }

    /// One moment by both clocks.
    package struct Moment: Sendable {
        /// Seconds of the day, since 1970.
        package let wall: Int64
        /// Seconds since any moment.
        package let steady: Int64

        package init(wall: Int64, steady: Int64) {
            self.wall = wall
            self.steady = steady
        }
    }

    private var written: Moment

    /// - Parameter now: when the lock was written.
    package init(written now: Moment) { written = now }

    /// A refresh succeeded.
    package mutating func refreshed(_ now: Moment) { written = now }

    /// What to do now.
    package func step(_ now: Moment) -> Step {
        let age = max(
            now.wall.subtractingSaturating(written.wall), now.steady.subtractingSaturating(written.steady))
        if age >= LockRules.stopAfter { return .stop }
        return age >= LockRules.refreshAfter ? .refresh : .work
    }
}

extension Int64 {
    /// Times of strangers may be any number.
    fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, hasOverflown) = subtractingReportingOverflow(other)
        return hasOverflown ? (other < 0 ? .max : .min) : difference
    }
}
