import Synchronization
package import ValiseXFTPWire

/// Relays that the user agreed to with another question, which named them: whoever answers ``Question/useRelays(_:)`` need
/// not ask about them again.
package final class AnsweredRelays: Sendable {
    private let relays = Mutex<Set<XFTPAddress>>([])

    package init() {}

    package func add(_ more: [XFTPAddress]) { relays.withLock { $0.formUnion(more) } }

    /// Those of some relays that the user has not agreed to yet.
    package func open(among asked: [XFTPAddress]) -> [XFTPAddress] {
        relays.withLock { known in asked.filter { !known.contains($0) } }
    }
}
