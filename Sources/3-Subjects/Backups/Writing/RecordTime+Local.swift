import ValiseRepository

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RecordTime {
    /// This moment in the zone of the machine.
    static func now() -> RecordTime {
        var moment = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &moment)
        var seconds = moment.tv_sec
        var parts = unsafe tm()
        let offset = unsafe localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
        return RecordTime(
            seconds: Int64(moment.tv_sec), nanoseconds: Int(moment.tv_nsec), offset: Int(offset))
    }
}
