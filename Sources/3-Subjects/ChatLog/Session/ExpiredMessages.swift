import Synchronization

/// How many messages were left out because their time is over.
package final class ExpiredMessages: Sendable {
    /// By the keys of conversations: one that is read twice counts once.
    private let counts = Mutex<[String: Int64]>([:])

    package init() {}

    /// In all conversations that were read to their ends.
    package var count: Int64 { counts.withLock { $0.values.reduce(0, +) } }

    func set(_ count: Int64, of conversation: String) {
        counts.withLock { $0[conversation] = count }
    }

    func add(_ count: Int64, of conversation: String) {
        counts.withLock { $0[conversation, default: 0] += count }
    }

    /// 0 where none was counted.
    func count(of conversation: String) -> Int64 { counts.withLock { $0[conversation, default: 0] } }
}
