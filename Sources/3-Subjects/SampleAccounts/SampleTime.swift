import ValiseEncoding

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
    var text: String { UTCTime(seconds: Int64(seconds), nanoseconds: milliseconds * 1_000_000).text }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
