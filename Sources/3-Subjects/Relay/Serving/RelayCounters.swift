import Synchronization

/// What a relay's connections did since it was started.
public struct RelayCounters: Sendable, Hashable, Codable {
    /// Open now.
    public var connections = 0
    /// Accepted in all.
    public var accepted = 0
    /// Closed because there were too many: at once, or to free space for others while they had no request.
    public var turnedAway = 0
    /// Closed because the TLS handshake failed or took too long.
    public var failedHandshakes = 0
    /// Closed because of floods, faults of the protocol, or slowness.
    public var misbehaved = 0
    /// Commands that were worked on.
    public var commands = 0
    /// Commands that were answered by an error.
    public var refused = 0
    /// Of uploads, in bytes; refused ones too.
    public var received: Int64 = 0
    /// Of downloads, in bytes.
    public var sent: Int64 = 0

    public init() {}
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
