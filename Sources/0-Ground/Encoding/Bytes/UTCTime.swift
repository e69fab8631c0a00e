#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment in UTC, with the text forms that databases of SimpleX have (SimpleX's data model, §7.1).
package struct UTCTime: Sendable, Hashable, Comparable {
    /// Since 1970.
    package let seconds: Int64
    /// The rest, 0 to 999,999,999.
    package let nanoseconds: Int

    package init(seconds: Int64, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The system's time of day, in seconds since 1970.
    package static let clock: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// By the system's clock, in whole seconds.
    package static var now: UTCTime { UTCTime(seconds: clock()) }

    package static func < (left: UTCTime, right: UTCTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// - Returns: nil for a date or time of day that there is not.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0...9999).contains(year), Self.isDate(year, month, day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        let ofDay = Int64(hour * 3600 + minute * 60 + second)
        self.init(seconds: Self.days(before: year, month, day) * 86_400 + ofDay)
    }

    // MARK: Reading

    /// Reads `YYYY-MM-DD`, with a time of day behind a space or `T` (seconds and their fraction may be missing), and
    /// behind that nothing, `Z`, or an offset such as `+02:00`. What has no zone is UTC.
    /// - Returns: nil for anything else.
    package init?(_ text: some StringProtocol) {
        var rest = TimeDigits(text)
        guard let day = Self.day(&rest) else { return nil }
        var seconds = day * 86_400
        nanoseconds = Self.timeOfDay(&rest, &seconds) ?? -1
        guard nanoseconds >= 0, let offset = Self.offset(&rest), rest.next == nil else { return nil }
        self.seconds = seconds - offset
    }

    private static func day(_ rest: inout TimeDigits) -> Int64? {
        guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
            let day = rest.number(2), isDate(year, month, day)
        else { return nil }
        return days(before: year, month, day)
    }

    /// The fraction in nanoseconds; nil where it is no time of day.
    private static func timeOfDay(_ rest: inout TimeDigits, _ seconds: inout Int64) -> Int? {
        guard rest.take(" ") || rest.take("T") else { return rest.next == nil ? 0 : nil }
        guard let hour = rest.number(2), hour < 24, rest.take(":"), let minute = rest.number(2), minute < 60
        else { return nil }
        seconds += Int64(hour * 3600 + minute * 60)
        guard rest.take(":") else { return 0 }
        guard let second = rest.number(2), second <= 60 else { return nil }
        seconds += Int64(second)
        return rest.take(".") ? rest.fraction() : 0
    }

    /// In seconds east of UTC.
    private static func offset(_ rest: inout TimeDigits) -> Int64? {
        if rest.next == nil || rest.take("Z") { return 0 }
        let sign: Int64 = rest.take("-") ? -1 : 1
        guard sign < 0 || rest.take("+"), let hours = rest.number(2) else { return nil }
        var minutes = 0
        if rest.next != nil {
            _ = rest.take(":")
            guard let found = rest.number(2) else { return nil }
            minutes = found
        }
        return sign * Int64(hours * 3600 + minutes * 60)
    }

    // MARK: Calendar

    private static let daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func isDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard (1...12).contains(month) else { return false }
        return day >= 1 && day <= daysOfMonths[month - 1] + (month == 2 && isLeap(year) ? 1 : 0)
    }

    /// Days from 1970 to a Gregorian date, counted in years that start in March.
    package static func days(before year: Int, _ month: Int, _ day: Int) -> Int64 {
        // One era later, so that the months before March of the year 0 are not below zero.
        let year = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + dayOfYear
        return Int64((year / 400 - 1) * 146_097 + dayOfEra - 719_468)
    }

    /// The Gregorian date of a day since 1970.
    package static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }

    // MARK: Writing

    /// `YYYY-MM-DD HH:MM:SS`, with a fraction without zeros at its end where there is one.
    package var text: String {
        let date = Self.date(ofDay: day)
        guard (0...9999).contains(date.year) else { return "\(dateText) \(timeText)\(fraction)" }
        let ofDay = seconds - day * 86_400
        // Each message of an export has several of them.
        return unsafe String(unsafeUninitializedCapacity: Self.longestText) { buffer in
            var digits = unsafe TimeDigitWriter(buffer)
            digits.write(date.year, width: 4)
            digits.write("-", date.month)
            digits.write("-", date.day)
            digits.write(" ", ofDay / 3600)
            digits.write(":", ofDay / 60 % 60)
            digits.write(":", ofDay % 60)
            digits.write(fraction: nanoseconds)
            return digits.count
        }
    }

    /// In bytes, with a fraction.
    private static let longestText = 29

    /// `YYYY-MM-DD`.
    package var dateText: String {
        let date = Self.date(ofDay: day)
        return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
    }

    /// `HH:MM:SS`.
    package var timeText: String {
        let ofDay = seconds - day * 86_400
        return [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { Self.padded($0, 2) }.joined(separator: ":")
    }

    /// `YYYY-MM-DDTHH:MM:SSZ`, without the fraction.
    package var isoText: String { "\(dateText)T\(timeText)Z" }

    private var day: Int64 { (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 }

    private var fraction: String {
        guard nanoseconds > 0 else { return "" }
        var digits = Self.padded(Int64(nanoseconds), 9)
        while digits.hasSuffix("0") { digits.removeLast() }
        return "." + digits
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Writes the digits of a time one behind the other.
@safe private struct TimeDigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { unsafe self.buffer = unsafe buffer }

    private mutating func append(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
    }

    mutating func write(_ number: Int64, width: Int) {
        var rest = number
        for place in stride(from: count + width - 1, through: count, by: -1) {
            unsafe buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += width
    }

    /// Two digits behind a mark.
    mutating func write(_ mark: Unicode.Scalar, _ number: Int64) {
        append(UInt8(ascii: mark))
        write(number, width: 2)
    }

    /// Without zeros at its end; nothing for none.
    mutating func write(fraction nanoseconds: Int) {
        guard nanoseconds > 0 else { return }
        append(UInt8(ascii: "."))
        write(Int64(nanoseconds), width: 9)
        while unsafe buffer[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }
}
