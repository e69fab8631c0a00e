package import ValiseEncoding

/// A moment with the zone in which it was written, as RFC 3339 with up to nine digits of a second: all that Go's
/// `RFC3339Nano` keeps, so that a time that was read is written as it was.
///
/// The zone matters: retention counts days by the calendar of who made the snapshot.
package struct RecordTime: Hashable, Sendable {
    /// Since 1970, in UTC.
    package let seconds: Int64
    /// The rest, 0 to 999,999,999.
    package let nanoseconds: Int
    /// Seconds east of UTC, whole minutes.
    package let offset: Int

    /// The first and the last second that four digits of a year can say.
    private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    private static let widestOffset = 24 * 3600

    /// What no text can say is moved to the nearest moment that it can: a file may have any time.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - nanoseconds: the rest.
    ///   - offset: seconds east of UTC; what is no whole minute is cut off.
    package init(seconds: Int64, nanoseconds: Int = 0, offset: Int = 0) {
        let offset = min(max(offset, 60 - Self.widestOffset), Self.widestOffset - 60) / 60 * 60
        // In the local year, which is the one that is written.
        let lowest = Self.range.lowerBound - Int64(offset)
        let highest = Self.range.upperBound - Int64(offset)
        self.seconds = min(max(seconds, lowest), highest)
        self.nanoseconds = self.seconds == seconds ? min(max(nanoseconds, 0), 999_999_999) : 0
        self.offset = offset
    }

    package init(_ time: UTCTime) { self.init(seconds: time.seconds, nanoseconds: time.nanoseconds) }

    /// The moment without its zone.
    package var utc: UTCTime { UTCTime(seconds: seconds, nanoseconds: nanoseconds) }

    /// Whether it is later; the zone has no part in that.
    package func isAfter(_ other: RecordTime) -> Bool { utc > other.utc }
}

extension RecordTime {
    /// Reads `2006-01-02T15:04:05.999999999Z` or the same with `+07:00`.
    /// - Returns: nil for anything else.
    package init?(text: String) {
        let text = Array(text.utf8)
        guard text.count >= 20, let date = Self.date(text) else { return nil }
        var place = 19
        var nanoseconds = 0
        if text[place] == UInt8(ascii: ".") {
            guard let digits = Self.fraction(text, &place) else { return nil }
            nanoseconds = digits
        }
        guard let offset = Self.offset(text[place...]) else { return nil }
        self.seconds = date.seconds - Int64(offset)
        self.nanoseconds = nanoseconds
        self.offset = offset
    }

    /// The first 19 bytes.
    private static func date(_ text: [UInt8]) -> UTCTime? {
        let separators: [(place: Int, byte: UInt8)] = [
            (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
            (16, UInt8(ascii: ":")),
        ]
        guard separators.allSatisfy({ text[$0.place] == $0.byte }), let year = number(text[0..<4]),
            let month = number(text[5..<7]), let day = number(text[8..<10]), let hour = number(text[11..<13]),
            let minute = number(text[14..<16]), let second = number(text[17..<19]), second < 60
        else { return nil }
        return UTCTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// As Go, it takes any number of digits and drops those behind the ninth.
    private static func fraction(_ text: [UInt8], _ place: inout Int) -> Int? {
        place += 1
        var (value, count) = (0, 0)
        while place < text.count, let digit = number(text[place...place]) {
            if count < 9 { value = value * 10 + digit }
            count += 1
            place += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }

    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        if zone.elementsEqual("Z".utf8) { return 0 }
        let start = zone.startIndex
        guard zone.count == 6, let sign = zone.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign),
            zone[start + 3] == UInt8(ascii: ":"), let hours = number(zone[start + 1...start + 2]),
            let minutes = number(zone[start + 4...start + 5]), hours < 24, minutes < 60
        else { return nil }
        let offset = hours * 3600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension RecordTime {
    /// The time of day and the date where it was written.
    package var local: UTCTime { UTCTime(seconds: seconds + Int64(offset), nanoseconds: nanoseconds) }

    /// Such as `2026-11-21T15:51:09.5+01:00`.
    package var text: String {
        var text = String(local.isoText.dropLast())
        if nanoseconds > 0 {
            var digits = String(nanoseconds + 1_000_000_000).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            text += ".\(digits)"
        }
        guard offset != 0 else { return text + "Z" }
        let minutes = abs(offset) / 60
        return text + (offset < 0 ? "-" : "+") + Self.padded(minutes / 60) + ":" + Self.padded(minutes % 60)
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
