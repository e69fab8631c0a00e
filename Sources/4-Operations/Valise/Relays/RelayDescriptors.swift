import CValisePlatform
import ValiseRelay

/// How many files a relay in this process may have open.
enum RelayDescriptors {
    /// More than a relay needs by whatever its settings say, as far as the system allows it to everybody: macOS allows
    /// no more than that.
    #if os(Linux)
        private static let most: Int64 = 131_072
    #else
        private static let most: Int64 = 10_240
    #endif

    /// Lets this process open as many as a relay needs, as far as the system allows.
    /// - Returns: how many it may open now; nil when that is not known.
    static func raise() -> Int? {
        let descriptors = Int(valise_raise_descriptors(most))
        return descriptors < 0 ? nil : descriptors
    }
}

extension RelayLimits {
    /// For a relay in this process: it takes fewer connections where few files may be open.
    static func fitted() -> RelayLimits {
        var limits = RelayLimits()
        if let descriptors = RelayDescriptors.raise() { limits.fit(descriptors: descriptors) }
        return limits
    }
}
