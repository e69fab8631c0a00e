import Synchronization
import ValiseXFTPWire

/// Which relays are in trouble, so that each change is told once, not each try of each chunk.
final class RelayStates: Sendable {
    private struct State {
        /// What was told last of relays that have not answered since.
        var troubles: [XFTPAddress: String] = [:]
        /// Whether it was told that tries go on.
        var isRetryTold = false
    }

    private let state = Mutex(State())

    /// - Returns: whether this is news.
    func troubled(_ relay: XFTPAddress, _ message: String) -> Bool {
        state.withLock { state in
            guard state.troubles.updateValue(message, forKey: relay) != message else { return false }
            state.isRetryTold = false
            return true
        }
    }

    /// - Returns: whether it was in trouble before.
    func answered(_ relay: XFTPAddress) -> Bool {
        state.withLock { $0.troubles.removeValue(forKey: relay) != nil }
    }

    /// - Returns: whether this is the first retry since the last trouble that was told.
    func retries() -> Bool {
        state.withLock { state in
            defer { state.isRetryTold = true }
            return !state.isRetryTold
        }
    }
}
