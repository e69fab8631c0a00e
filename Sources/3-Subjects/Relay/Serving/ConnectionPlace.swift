import NIOCore
import Synchronization

/// The place that one connection takes of those that a relay has, and what the connection does with it.
///
/// Only the registry reads it; the connection says on its event loop what it does.
final class ConnectionPlace: Sendable {
    enum Use: Equatable {
        /// The handshakes of TLS and XFTP are not finished.
        case opening
        /// The handshakes are finished, and no request is under way.
        case idle
        /// A request is under way, or an answer.
        case busy
    }

    let channel: any Channel
    private let client: Mutex<ClientAddress?>
    private let state: Mutex<(use: Use, since: NIODeadline)>

    /// - Parameter client: nil for a proxy's connection that has yet to say for whom.
    init(_ channel: any Channel, client: ClientAddress?, now: NIODeadline = .now()) {
        self.channel = channel
        self.client = Mutex(client)
        state = Mutex((.opening, now))
    }

    /// Whose it is; nil for a proxy's own. The registry changes it.
    var address: ClientAddress? {
        get { client.withLock { $0 } }
        set { client.withLock { $0 = newValue } }
    }

    func change(to use: Use, now: NIODeadline = .now()) {
        state.withLock { state in
            if state.use != use { state = (use, now) }
        }
    }

    /// How soon it makes space for others: the smallest first.
    struct Rank: Comparable {
        private let order: Int
        private let since: NIODeadline

        /// - Parameter opened: what began its handshakes before this makes space first. Later ones belong to somebody who is
        ///   arriving, most likely.
        /// - Returns: nil for a connection that does not free space.
        init?(_ use: Use, since: NIODeadline, opened: NIODeadline) {
            switch use {
            case .opening: order = since <= opened ? 0 : 2
            case .idle: order = 1
            case .busy: return nil
            }
            self.since = since
        }

        static func < (first: Self, second: Self) -> Bool {
            (first.order, first.since) < (second.order, second.since)
        }
    }

    /// What it does, and since when.
    var current: (use: Use, since: NIODeadline) { state.withLock { $0 } }
}

/// Comes down the pipeline of a connection whose place another gets.
struct PlaceIsNeeded: Sendable {}
