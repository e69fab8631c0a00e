import ValiseEncoding

/// Compares the time of day with the time that passes.
struct ClockWatch {
    /// This version was not made before it.
    private static let earliest = UTCTime(year: 2026, month: 1, day: 1) ?? UTCTime(seconds: 0)
    /// Nobody runs it after that.
    private static let latest = UTCTime(year: 2076, month: 1, day: 1) ?? UTCTime(seconds: .max)
    /// In seconds: the system clock is read without its fractions.
    private static let tolerance: Int64 = 2

    private let start = UTCTime.clock()
    private let moment = ContinuousClock.now

    func finding() -> Diagnosis.Finding {
        let now = UTCTime.now
        guard now >= Self.earliest, now <= Self.latest else {
            return Diagnosis.Finding(
                .clock, .problem,
                "the system clock is wrong: \(moment: now). Relays and their certificates would be refused.",
                .setClock)
        }
        let passed = (ContinuousClock.now - moment).components.seconds
        let jump = now.seconds - start - passed
        guard jump.magnitude <= UInt64(Self.tolerance) else {
            return Diagnosis.Finding(
                .clock, .note, "the system clock changed by \(Int(jump)) s during this check", .setClock)
        }
        return Diagnosis.Finding(.clock, .ok, "the system clock shows \(moment: now)")
    }
}
