import Valise
import ValiseEncoding

/// How long relays still keep an upload.
struct ExpiryClock {
    /// In seconds since 1970.
    let expires: Int64
    let now: Int64

    init(expires: Int64, now: Int64 = UTCTime.clock()) {
        self.expires = expires
        self.now = now
    }

    var isOver: Bool { expires <= now }

    /// Whether less than 12 hours are left.
    var isNear: Bool { expires - now < 12 * 3600 }

    /// Such as `in 47 h 12 min (2026-11-24 15:51)`, in local time.
    var text: String {
        let moment = LocalTime(seconds: expires).text
        return isOver ? "on \(moment)" : "in \(ShortDuration.text(expires - now)) (\(moment))"
    }
}
