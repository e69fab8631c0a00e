import Synchronization
import Valise

/// Relays that the user agreed to with another question, which named them: nobody is asked about them again.
final class AnsweredRelays: Sendable {
    private let relays = Mutex<Set<XFTPAddress>>([])

    func add(_ more: [XFTPAddress]) { relays.withLock { $0.formUnion(more) } }

    /// Those of some relays that the user has not agreed to yet.
    func open(among asked: [XFTPAddress]) -> [XFTPAddress] {
        relays.withLock { known in asked.filter { !known.contains($0) } }
    }
}
