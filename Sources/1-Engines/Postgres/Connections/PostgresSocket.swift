import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket of a connection, which is libpq's: it is only waited for.
struct PostgresSocket {
    enum Event {
        case nothing
        case readable
        /// Only that.
        case writable
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits until there is something to read, or until more can be written, or a time has come.
    ///
    /// A connection that broke counts as readable: reading says why.
    ///
    /// - Parameters:
    ///   - reading: whether something to read is waited for.
    ///   - writing: whether a place to write is waited for.
    ///   - deadline: when it returns in any case; it looks once if that is over.
    /// - Throws: ``PostgresError`` where the system cannot wait.
    func wait(
        reading: Bool = true, writing: Bool, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> Event {
        while true {
            // An hour at most, which is a number of milliseconds for the system.
            let rest = min(max(.zero, deadline - .now), .seconds(3600))
            // Rounded up, for otherwise the last millisecond is spent in turns of no time.
            let milliseconds = Int32(rest / .milliseconds(1)) + (rest > .zero ? 1 : 0)
            let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
            var waiting = pollfd(fd: descriptor, events: events, revents: 0)
            let ready = unsafe poll(&waiting, 1, milliseconds)
            if ready > 0 {
                return waiting.revents & ~Int16(POLLOUT) != 0 || !writing ? .readable : .writable
            }
            if ready < 0, errno != EINTR {
                throw PostgresError(.general, .failed, "cannot wait for the database (error \(errno))")
            }
            if deadline <= .now { return .nothing }
        }
    }
}
