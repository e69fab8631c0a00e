import CValisePlatform
import ValiseConcurrency

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SIGHUP as services have it: a request to read something anew.
package enum HangupRequests {
    private static let pause = Duration.milliseconds(200)

    /// One element for each signal, or for several that come together.
    ///
    /// - Returns: nil where a terminal started the process: there the signal says that the terminal is gone, and ends it as before.
    package static func stream() -> AsyncStream<Void>? {
        guard isatty(STDIN_FILENO) == 0, isatty(STDERR_FILENO) == 0 else { return nil }
        valise_catch_hangups()
        let (requests, requested) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ticker = Ticker(every: pause) { if valise_take_hangup() { requested.yield() } }
        requested.onTermination = { _ in ticker.stop() }
        return requests
    }
}
