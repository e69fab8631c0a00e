#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Swift Testing takes a backtrace of every error that is thrown anywhere: a third of the time of what feeds a reader thousands
/// of broken inputs. Nobody looks at them.
enum ThrownErrors {
    /// Takes its hooks away, once in a process.
    static let withoutBacktraces: Void = {
        for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
            dlsym(UnsafeMutableRawPointer(bitPattern: 0), name)?
                .storeBytes(of: UnsafeRawPointer?.none, as: UnsafeRawPointer?.self)
        }
    }()
}
