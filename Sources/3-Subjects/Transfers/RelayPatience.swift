import Synchronization
import ValiseXFTPWire

/// Which relays failed so often in a row that nothing more is asked of them: each wait for a dead one takes most of a
/// minute, and a file may have a thousand chunks.
final class RelayPatience: Sendable {
    private struct Failures: Sendable {
        var inARow = 0
        var last: (any Error)?
    }

    private static let most = 2

    private let failures = Mutex<[XFTPAddress: Failures]>([:])

    /// Begins a request.
    /// - Returns: what ``failed(_:began:_:)`` takes.
    func begin(_ relay: XFTPAddress) -> Int { failures.withLock { $0[relay]?.inARow ?? 0 } }

    /// Notes a failure that may pass.
    ///
    /// - Parameter began: requests that were under way side by side, as of one lost connection, are one failure.
    func failed(_ relay: XFTPAddress, began: Int, _ error: any Error) {
        failures.withLock { failures in
            failures[relay, default: Failures()].last = error
            if failures[relay, default: Failures()].inARow <= began {
                failures[relay, default: Failures()].inARow += 1
            }
        }
    }

    /// Notes an answer, whatever it says.
    func answered(_ relay: XFTPAddress) { failures.withLock { $0[relay] = nil } }

    /// The last failure of a relay of which nothing more is asked.
    func end(of relay: XFTPAddress) -> (any Error)? {
        failures.withLock { failures in
            guard let found = failures[relay], found.inARow >= Self.most else { return nil }
            return found.last
        }
    }
}
