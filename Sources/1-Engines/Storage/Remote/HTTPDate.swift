import ValiseEncoding

/// The time of an answer, such as `Fri, 24 May 2013 00:00:00 GMT` (RFC 9110, section 5.6.7, the one form that is still written).
enum HTTPDate {
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
}
