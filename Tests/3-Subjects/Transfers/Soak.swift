#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether the long forms of tests run.
enum Soak {
    static let isOn = getenv("VALISE_SOAK") != nil
}
