import Synchronization

/// The transfers that a relay has space for: each may have a file open.
///
/// The last half is for connections that have few. So one that has many cannot keep others from a transfer, as long as there are
/// not a quarter as many connections with transfers as there are places.
final class TransferPlaces: Sendable {
    /// Few transfers of a connection.
    static let few = 2

    private let most: Int
    private let free: Mutex<Int>

    init(_ most: Int) {
        self.most = most
        free = Mutex(most)
    }

    /// Those that are taken.
    var used: Int { most - free.withLock { $0 } }

    /// - Parameter held: places that the connection has by now.
    func take(held: Int) -> Bool {
        free.withLock { free in
            guard free > (held < Self.few ? 0 : most / 2) else { return false }
            free -= 1
            return true
        }
    }

    func release() { free.withLock { $0 += 1 } }
}
