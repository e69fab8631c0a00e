import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The machine's clocks.
enum SystemTime {
    static func now() -> JobTime {
        #if os(Linux)
            JobTime(
                wall: milliseconds(CLOCK_REALTIME), sinceBoot: milliseconds(CLOCK_BOOTTIME),
                awake: milliseconds(CLOCK_MONOTONIC), boot: boot)
        #else
            // Here it is this one that goes on in sleep.
            JobTime(
                wall: milliseconds(CLOCK_REALTIME), sinceBoot: milliseconds(CLOCK_MONOTONIC),
                awake: milliseconds(CLOCK_UPTIME_RAW), boot: boot)
        #endif
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// It stays what it is as long as this process lives. Empty where the system does not tell: then all starts look like
    /// one, and leases of the previous end by their time.
    private static let boot: String = {
        #if os(Linux)
            return (try? FileSystem().procText("/proc/sys/kernel/random/boot_id")) ?? ""
        #else
            var text = [UInt8](repeating: 0, count: 64)
            var size = text.count
            guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }()
}
