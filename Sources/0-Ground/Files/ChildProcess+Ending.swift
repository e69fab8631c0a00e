#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ends of programs that are not simply waited for.
///
/// Once an ending was returned, the number of the process may be another's: nobody may send it a signal then.
extension ChildProcess {
    /// How a program ended.
    package enum Ending: Sendable, Hashable {
        /// With this exit status.
        case status(Int)
        /// By this signal.
        case signal(Int)

        init(_ status: Int32) {
            self = status & 0x7F == 0 ? .status(Int(status >> 8 & 0xFF)) : .signal(Int(status & 0x7F))
        }
    }

    /// Looks, or waits for some time, whether it has ended. Nothing of it is left then.
    ///
    /// - Parameter patience: how long it is waited.
    /// - Returns: nil while it runs.
    package func ending(within patience: Duration = .zero) -> Ending? {
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(1)
        while true {
            var status: Int32 = 0
            let result = unsafe waitpid(identifier, &status, WNOHANG)
            if result == identifier { return Ending(status) }
            // Somebody else has waited for it, which nobody here does.
            if result < 0, errno != EINTR { return .status(0) }
            guard .now < deadline else { return nil }
            FileSystem.wait(pause)
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Asks it to end (SIGTERM).
    package func end() { kill(identifier, SIGTERM) }

    /// Ends it, whatever it does (SIGKILL).
    package func endAtOnce() { kill(identifier, SIGKILL) }

    /// Waits for its end for some time, then asks for it, then forces it.
    ///
    /// - Parameter patience: how long each of the first two may take.
    package func ended(within patience: Duration) -> Ending {
        if let ending = ending(within: patience) { return ending }
        end()
        if let ending = ending(within: patience) { return ending }
        endAtOnce()
        while true {
            if let ending = ending(within: .seconds(1)) { return ending }
        }
    }
}
