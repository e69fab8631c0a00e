/// The library in `Support/modes.c`, which runs a program with umask 000 and reports what it makes for others.
enum ModesWatch {
    /// Compiled once for all tests; nil without a compiler or on another system.
    static let library: String? = Preload.compile("modes")
}
