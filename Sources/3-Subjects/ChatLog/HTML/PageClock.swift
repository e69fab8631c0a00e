import ValiseEncoding

/// Local times for pages. Items come in order, so what one day has in common is made once.
struct PageClock {
    /// A moment as a page shows it.
    struct Moment {
        /// `YYYY-MM-DD`, local.
        let date: String
        /// `HH:MM`, local.
        let time: String
        /// Local, to the second.
        let full: String
        /// UTC, as machines read it.
        let iso: String
        /// Minutes since 1970, UTC.
        let minutes: Int64

        /// `YYYY-MM`, local.
        var month: String { String(date.prefix(7)) }
    }

    private let offset: @Sendable (Int64) -> Int64
    private var quarter: (start: Int64, offset: Int64)?
    private var localDay: (day: Int64, date: String)?
    private var utcDay: (day: Int64, date: String)?

    /// - Parameter offset: of local time from UTC at a moment, in seconds east.
    init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

    /// That of the system.
    static let systemOffset: @Sendable (Int64) -> Int64 = { seconds in
        guard let local = UTCTime(LocalTime(seconds: seconds).text) else { return 0 }
        return (PageClock.floor(local.seconds, 60) - PageClock.floor(seconds, 60)) * 60
    }

    /// A moment in local time.
    mutating func moment(_ time: UTCTime) -> Moment {
        let local = time.seconds + offset(at: time.seconds)
        let date = Self.date(local, &localDay)
        let ofDay = local - Self.floor(local, 86_400) * 86_400
        let (clock, seconds) = (Self.clock(ofDay), Self.twoDigits(ofDay % 60))
        let utcOfDay = time.seconds - Self.floor(time.seconds, 86_400) * 86_400
        let utc =
            "\(Self.date(time.seconds, &utcDay))T\(Self.clock(utcOfDay)):\(Self.twoDigits(utcOfDay % 60))Z"
        return Moment(
            date: date, time: clock, full: "\(date) \(clock):\(seconds)", iso: utc,
            minutes: Self.floor(time.seconds, 60))
    }

    /// No offset changes within a quarter of an hour.
    private mutating func offset(at seconds: Int64) -> Int64 {
        let start = Self.floor(seconds, 900)
        if let quarter, quarter.start == start { return quarter.offset }
        let found = offset(seconds)
        quarter = (start, found)
        return found
    }

    private static func date(_ seconds: Int64, _ cache: inout (day: Int64, date: String)?) -> String {
        let day = floor(seconds, 86_400)
        if let cache, cache.day == day { return cache.date }
        let date = UTCTime(seconds: day * 86_400).dateText
        cache = (day, date)
        return date
    }

    private static func clock(_ ofDay: Int64) -> String {
        "\(twoDigits(ofDay / 3600)):\(twoDigits(ofDay / 60 % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : (value - unit + 1) / unit
    }
}

/// Dates as headings have them.
enum DateWords {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// `12 March 2025` of `2025-03-12`, `March 2025` of `2025-03`; the text itself where it is neither.
    static func text(_ date: String) -> String {
        let parts = date.split(separator: "-")
        guard parts.count >= 2, let month = Int(parts[1]), months.indices.contains(month - 1) else {
            return date
        }
        let words = "\(months[month - 1]) \(parts[0])"
        return parts.count > 2 ? "\(Int(parts[2]) ?? 0) \(words)" : words
    }

    /// `March 2025 – June 2025`; one month alone.
    static func span(_ first: String, _ last: String) -> String {
        first == last ? text(first) : "\(text(first)) – \(text(last))"
    }
}
