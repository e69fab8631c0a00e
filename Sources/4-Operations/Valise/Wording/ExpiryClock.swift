import ValiseEncoding

/// How long relays still keep an upload.
package struct ExpiryClock {
    /// In seconds since 1970.
    package let expires: Int64
    package let now: Int64

    package init(expires: Int64) { self.init(expires: expires, now: UTCTime.clock()) }

    package init(expires: Int64, now: Int64) {
        self.expires = expires
        self.now = now
    }

    package var isOver: Bool { expires <= now }

    /// Whether less than 12 hours are left.
    package var isNear: Bool { expires - now < 12 * 3600 }

    /// Such as `in 47 h 12 min (2026-11-24 15:51)`, in local time.
    package var text: String {
        let moment = LocalTime(seconds: expires).text
        return isOver ? "on \(moment)" : "in \(ShortDuration.text(expires - now)) (\(moment))"
    }
}
