import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time, and waiting, as stores use them; tests have their own, in which nobody waits.
package struct StorageClock: Sendable {
    /// A time that never goes back, for durations.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// The time of the calendar, in seconds since 1970, for ages of files.
    package var calendarTime: @Sendable () -> Int64
    /// Lets the calling thread wait.
    package var sleep: @Sendable (Duration) -> Void

    /// - Parameters:
    ///   - now: for durations.
    ///   - calendarTime: in seconds since 1970.
    ///   - sleep: lets the calling thread wait.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        calendarTime: @escaping @Sendable () -> Int64 = { StorageClock.systemTime() },
        sleep: @escaping @Sendable (Duration) -> Void = { FileSystem.wait($0) }
    ) {
        self.now = now
        self.calendarTime = calendarTime
        self.sleep = sleep
    }

    /// Nobody waits longer before it is asked whether to stop.
    private static let step = Duration.milliseconds(100)

    /// Waits, in short steps.
    ///
    /// - Parameters:
    ///   - duration: how long in all.
    ///   - checkpoint: is asked before each step; throw to stop.
    /// - Throws: whatever `checkpoint` throws.
    package func wait(_ duration: Duration, _ checkpoint: () throws -> Void) throws {
        var rest = duration
        while rest > .zero {
            try checkpoint()
            let step = min(rest, Self.step)
            sleep(step)
            rest -= step
        }
    }

    package static func systemTime() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
