import ValiseEncoding

/// When the content of an entry was last changed, as its header in the central directory tells it.
package struct EntryTime: Sendable, Equatable {
    /// Since 1970.
    package let seconds: Int64
    /// Whether it is in UTC and to the second. The older form has two seconds and no zone; it is taken for UTC, so
    /// that an archive means the same everywhere.
    package let isExact: Bool

    package init(seconds: Int64, isExact: Bool) {
        self.seconds = seconds
        self.isExact = isExact
    }

    /// - Parameter unix: Info-ZIP's seconds since 1970, where they are there.
    /// - Returns: nil for no time, or an impossible one.
    init?(dosTime: UInt16, dosDate: UInt16, unix: Int32?) {
        if let unix {
            seconds = Int64(unix)
            isExact = true
            return
        }
        guard UInt32(dosDate) << 16 | UInt32(dosTime) != ZipTime.fixed.dos,
            let moment = UTCTime(
                year: 1980 + Int(dosDate >> 9), month: Int(dosDate >> 5 & 0xf), day: Int(dosDate & 0x1f),
                hour: Int(dosTime >> 11), minute: Int(dosTime >> 5 & 0x3f), second: Int(dosTime & 0x1f) * 2)
        else { return nil }
        seconds = moment.seconds
        isExact = false
    }
}
