import Synchronization

/// What a relay's connections did since it was started.
package struct RelayCounters: Sendable, Hashable, Codable {
    /// Open now.
    package var connections = 0
    /// Accepted in all.
    package var accepted = 0
    /// Closed because there were too many: at once, or to free space for others while they had no request.
    package var turnedAway = 0
    /// Closed because the TLS handshake failed or took too long.
    package var failedHandshakes = 0
    /// Closed because of floods, faults of the protocol, or slowness.
    package var misbehaved = 0
    /// Commands that were worked on.
    package var commands = 0
    /// Commands that were answered by an error.
    package var refused = 0
    /// Of uploads, in bytes; refused ones too.
    package var received: Int64 = 0
    /// Of downloads, in bytes.
    package var sent: Int64 = 0

    package init() {}
}

/// The counters of a running relay.
final class LiveCounters: Sendable {
    private let counters = Mutex(RelayCounters())

    func update(_ change: (inout RelayCounters) -> Void) {
        counters.withLock { change(&$0) }
    }

    /// - Returns: the number of the connection.
    func accept() -> Int {
        counters.withLock { counters in
            counters.accepted += 1
            return counters.accepted
        }
    }

    var current: RelayCounters { counters.withLock { $0 } }
}
