#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment in local time.
package struct LocalTime {
    /// Such as `2026-11-21`.
    package let date: String
    /// Such as `2026-11-21 15:51`; in UTC and with seconds where the local time is unknown.
    package let text: String
    /// Such as `155109`.
    package let time: String

    /// - Parameter seconds: since 1970.
    package init(seconds: Int64 = UTCTime.clock()) {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&moment, &parts) != nil else {
            (date, text) = (UTCTime(seconds: seconds).dateText, UTCTime(seconds: seconds).text)
            time = String(text.dropFirst(date.count).filter(\.isNumber).prefix(6))
            return
        }
        date =
            unsafe "\(parts.tm_year + 1900)-\(Self.twoDigits(parts.tm_mon + 1))-\(Self.twoDigits(parts.tm_mday))"
        text = unsafe "\(date) \(Self.twoDigits(parts.tm_hour)):\(Self.twoDigits(parts.tm_min))"
        time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits).joined()
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
