package import ValiseEncoding

/// A moment as fields of HTTP have it, such as `Fri, 24 May 2013 00:00:00 GMT` (RFC 9110, section 5.6.7, the one form that is still written).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Nil for anything else.
    static func decode(_ text: String) -> UTCTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(where: { $0 == parts[2] })
        else { return nil }
        let time = parts[4].split(separator: ":").map { Int($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else {
            return nil
        }
        return UTCTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// Years of four digits.
    private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    private static let day: Int64 = 86_400

    /// The text of a moment; what no year of four digits has is moved to the nearest moment that one has.
    package static func encode(_ time: UTCTime) -> String {
        let seconds = min(max(time.seconds, range.lowerBound), range.upperBound)
        // Such as 1994-11-06T08:49:37Z.
        let text = Array(UTCTime(seconds: seconds).isoText)
        let number = (seconds - (seconds % day + day) % day) / day
        let month = Int(String(text[5...6])).flatMap { months.indices.contains($0 - 1) ? $0 - 1 : nil } ?? 0
        return "\(days[Int((number % 7 + 7) % 7)]), \(String(text[8...9])) \(months[month]) "
            + "\(String(text[0...3])) \(String(text[11...18])) GMT"
    }
}
