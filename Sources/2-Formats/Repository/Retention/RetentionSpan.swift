import ValiseEncoding

/// A duration of the calendar, such as `6y5m234d37h`: years, months, days and hours. There are no weeks.
package struct RetentionSpan: Sendable, Hashable {
    package var years = 0
    package var months = 0
    package var days = 0
    package var hours = 0

    /// No unit has more: with it every date of four digits of a year is reached.
    private static let most = 1_000_000

    package init(years: Int = 0, months: Int = 0, days: Int = 0, hours: Int = 0) {
        self.years = years
        self.months = months
        self.days = days
        self.hours = hours
    }

    /// - Parameter text: numbers with the letters `y`, `m`, `d` and `h`, each letter once at most.
    /// - Returns: nil for anything else, and for nothing.
    package init?(text: String) {
        let units: [Character: WritableKeyPath<RetentionSpan, Int>] = [
            "y": \.years, "m": \.months, "d": \.days, "h": \.hours,
        ]
        var seen: Set<Character> = []
        var digits = ""
        for character in text {
            if ("0"..."9").contains(character), digits.count < 7 {
                digits.append(character)
                continue
            }
            guard let unit = units[character], seen.insert(character).inserted, let number = Int(digits),
                number <= Self.most
            else { return nil }
            self[keyPath: unit] = number
            digits = ""
        }
        guard digits.isEmpty, !seen.isEmpty else { return nil }
    }

    /// Without units that are zero; empty for none.
    package var text: String {
        [(years, "y"), (months, "m"), (days, "d"), (hours, "h")].filter { $0.0 != 0 }
            .map { "\($0.0)\($0.1)" }.joined()
    }

    /// Whether it is no duration at all.
    package var isZero: Bool { self == RetentionSpan() }

    /// The moment that is so much earlier, by the calendar of the zone of `time`. A day that the month has not is counted on into
    /// the next month, as Go does: a month before March 31 is March 3.
    ///
    /// - Returns: seconds since 1970; far before every snapshot where the calendar ends.
    func before(_ time: RecordTime) -> UTCTime {
        let local = time.local
        let day = Int64((Double(local.seconds) / 86_400).rounded(.down))
        let date = UTCTime.date(ofDay: day)
        let month = Int(date.month) - 1 - months
        // Below zero, a month is in a year before.
        let yearsBack = month < 0 ? (-month + 11) / 12 : 0
        let year = Int(date.year) - years - yearsBack
        guard year >= 0 else { return UTCTime(seconds: .min / 2) }
        let first = UTCTime.days(before: year, month + 12 * yearsBack + 1, 1)
        let moved = first + date.day - 1 - Int64(days)
        let seconds = moved * 86_400 + (local.seconds - day * 86_400) - Int64(hours) * 3600
        return UTCTime(seconds: seconds - Int64(time.offset), nanoseconds: time.nanoseconds)
    }
}
