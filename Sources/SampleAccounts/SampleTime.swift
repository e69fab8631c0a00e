/// A moment of the sample's own calendar, which starts on 2026-01-01 and knows nothing of the real clock.
struct SampleTime: Comparable {
    /// Since 1970, in UTC.
    var seconds: Int
    /// Written as a fraction where it is not 0, as SimpleX does.
    var milliseconds = 0

    static let start = SampleTime(seconds: 1_767_225_600)

    static func < (left: SampleTime, right: SampleTime) -> Bool {
        (left.seconds, left.milliseconds) < (right.seconds, right.milliseconds)
    }

    func adding(_ seconds: Int) -> SampleTime {
        SampleTime(seconds: self.seconds + seconds, milliseconds: milliseconds)
    }

    /// `YYYY-MM-DD HH:MM:SS`, with a fraction without zeros at its end (SimpleX's data model).
    var text: String {
        let (year, month, day) = Self.date(ofDay: seconds / 86_400)
        let ofDay = seconds % 86_400
        let date = "\(year)-\(Self.two(month))-\(Self.two(day))"
        let time = "\(Self.two(ofDay / 3600)):\(Self.two(ofDay / 60 % 60)):\(Self.two(ofDay % 60))"
        return "\(date) \(time)\(fraction)"
    }

    private var fraction: String {
        guard milliseconds > 0 else { return "" }
        var digits = String(String(1000 + milliseconds).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "." + digits
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day since 1970, counted in years that start in March.
    private static func date(ofDay day: Int) -> (Int, Int, Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }
}
