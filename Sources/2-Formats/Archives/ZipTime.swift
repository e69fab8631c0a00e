#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The modification time of an entry, in the two forms that a zip has.
struct ZipTime: Sendable {
    /// Date and time of the place where the archive is made, in steps of two seconds from 1980 to 2107.
    let dos: UInt32
    /// Since 1970 and without a place; nil where the archive shall not tell.
    let seconds: Int32?

    /// 1980-01-01 00:00, for archives that are the same wherever and whenever they are made.
    static let fixed = ZipTime(dos: earliest, seconds: nil)

    private static let earliest: UInt32 = 1 << 21 | 1 << 16
    private static let latest: UInt32 = 0xff9f_bf7d

    init(dos: UInt32, seconds: Int32?) {
        self.dos = dos
        self.seconds = seconds
    }

    /// - Parameter time: seconds since 1970.
    init(_ time: Int64) {
        seconds = Int32(exactly: time)
        var value = time_t(time)
        var parts = unsafe tm()
        guard unsafe localtime_r(&value, &parts) != nil else {
            dos = Self.earliest
            return
        }
        let year = unsafe Int(parts.tm_year) - 80
        guard year >= 0 else {
            dos = Self.earliest
            return
        }
        guard year <= 127 else {
            dos = Self.latest
            return
        }
        let date = unsafe UInt32(year) << 9 | UInt32(parts.tm_mon + 1) << 5 | UInt32(parts.tm_mday)
        let clock = unsafe UInt32(parts.tm_hour) << 11 | UInt32(parts.tm_min) << 5 | UInt32(parts.tm_sec) / 2
        dos = date << 16 | clock
    }
}
