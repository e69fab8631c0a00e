import ByteCoding

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How long relays still keep something.
struct ExpiryClock {
    /// In seconds since 1970.
    let expires: Int64
    let now: Int64

    init(expires: Int64, now: Int64 = UTCTime.clock()) {
        self.expires = expires
        self.now = now
    }

    var isOver: Bool { expires <= now }

    /// Whether it is time to think of ``isOver``.
    var isNear: Bool { expires - now < 12 * 3600 }

    /// Such as `in 47 h 12 min (2026-11-24 15:51)`, in the time of this place.
    var text: String {
        isOver
            ? "since \(Self.local(expires))" : "in \(Self.duration(expires - now)) (\(Self.local(expires)))"
    }

    /// Such as `47 h 12 min`, `3 min` or `20 s`.
    static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }

    /// A moment as `2026-11-24 15:51`, in the time of this place.
    static func local(_ seconds: Int64) -> String {
        var moment = time_t(seconds)
        var parts = tm()
        guard localtime_r(&moment, &parts) != nil else { return UTCTime(seconds: seconds).text }
        let date = [parts.tm_mon + 1, parts.tm_mday].map(twoDigits).joined(separator: "-")
        return "\(parts.tm_year + 1900)-\(date) \(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
