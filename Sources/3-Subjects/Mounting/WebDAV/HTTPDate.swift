import ValiseEncoding

/// A moment as fields of HTTP have it (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Years of four digits.
    private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    static func text(of time: UTCTime) -> String {
        let seconds = min(max(time.seconds, range.lowerBound), range.upperBound)
        // Such as 1994-11-06T08:49:37Z.
        let text = Array(UTCTime(seconds: seconds).isoText)
        let day = Int(((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400 % 7 + 7) % 7)
        let month = Int(String(text[5...6])).flatMap { (1...12).contains($0) ? $0 : nil } ?? 1
        return "\(days[day]), \(String(text[8...9])) \(months[month - 1]) \(String(text[0...3])) "
            + "\(String(text[11...18])) GMT"
    }
}
