import CValisePlatform
import SystemPackage
import ValiseEncoding
import ValiseFiles

/// Compares the time of day with the time that passes, with the time of this program, and with what the system knows of it.
struct ClockWatch {
    /// This version was not made before it.
    private static let earliest = UTCTime(year: 2026, month: 1, day: 1) ?? UTCTime(seconds: 0)
    /// Nobody runs it after that.
    private static let latest = UTCTime(year: 2076, month: 1, day: 1) ?? UTCTime(seconds: .max)
    /// In seconds: the system clock is read without its fractions.
    private static let tolerance: Int64 = 2
    /// In seconds: time zones of foreign file systems differ by less.
    private static let day: Int64 = 86_400

    private let start = UTCTime.clock()
    private let moment = ContinuousClock.now

    func finding() -> Diagnosis.Finding {
        let passed = (ContinuousClock.now - moment).components.seconds
        return Self.finding(
            at: .now, jump: UTCTime.now.seconds - start - passed, programTime: Self.programTime,
            isSynchronized: Self.isSynchronized)
    }

    /// - Parameters:
    ///   - now: what the clock shows.
    ///   - jump: by how many seconds it was changed meanwhile.
    ///   - programTime: when this program was built or installed; nil where that is not known.
    ///   - isSynchronized: whether the system keeps the clock right; nil where it does not tell.
    static func finding(
        at now: UTCTime, jump: Int64 = 0, programTime: Int64? = nil, isSynchronized: Bool? = nil
    ) -> Diagnosis.Finding {
        guard now >= earliest, now <= latest else {
            return Diagnosis.Finding(
                .clock, .problem,
                "the system clock is wrong: \(moment: now). Relays and their certificates would be refused.",
                .setClock)
        }
        guard jump.magnitude <= UInt64(tolerance) else {
            return Diagnosis.Finding(
                .clock, .note, "the system clock changed by \(Int(jump)) s during this check", .setClock)
        }
        if let programTime, now.seconds < programTime - day {
            return Diagnosis.Finding(
                .clock, .note,
                """
                the system clock shows \(moment: now), but this program is from \
                \(moment: UTCTime(seconds: programTime)), so the clock is wrong, or was wrong then
                """,
                .setClock)
        }
        if isSynchronized == false {
            return Diagnosis.Finding(
                .clock, .note,
                "the system clock shows \(moment: now), but the system does not synchronize it", .setClock)
        }
        return Diagnosis.Finding(.clock, .ok, "the system clock shows \(moment: now)")
    }

    /// Packages keep the time when a program was built; a copy may have that of its installation.
    private static var programTime: Int64? {
        let fileSystem = FileSystem()
        guard let program = try? fileSystem.resolve("/proc/self/exe") else { return nil }
        return (try? fileSystem.attributes(of: program))?.modificationTime
    }

    private static var isSynchronized: Bool? {
        switch valise_clock_is_synchronized() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
