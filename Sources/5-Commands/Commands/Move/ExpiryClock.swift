import ValiseEncoding

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
        let moment = LocalTime(seconds: expires).text
        return isOver ? "since \(moment)" : "in \(Self.duration(expires - now)) (\(moment))"
    }

    /// Such as `47 h 12 min`, `3 min` or `20 s`.
    static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }
}
