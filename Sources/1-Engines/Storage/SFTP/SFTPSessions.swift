import Synchronization
import ValiseFailures

/// The connection of a store: made when it is first needed, and anew once it is lost.
final class SFTPSessions: Sendable {
    private struct State {
        var connection: SFTPConnection?
        /// Of the last attempt to connect.
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let attempts = Atomic(0)
    private let connect: @Sendable () throws -> SFTPConnection

    /// As ``SFTPConnection`` has them.
    init(
        _ command: SFTPCommand, location: String, patience: Duration,
        checkpoint: @escaping @Sendable () throws -> Void
    ) {
        connect = {
            try SFTPConnection(command, location: location, patience: patience, checkpoint: checkpoint)
        }
    }

    /// Does something over the connection; once more over a new one where that is lost meanwhile.
    /// - Throws: whatever the body throws; ``StorageError`` where there is no connection.
    func with<Value>(_ body: (SFTPConnection) throws -> Value) throws -> Value {
        let connection = try current()
        do {
            return try body(connection)
        } catch let error as StorageError where error.kind == .unreachable && connection.isLost {
            return try body(try current())
        }
    }

    private func current() throws -> SFTPConnection {
        let known = attempts.load(ordering: .acquiring)
        return try state.withLock { state in
            if let connection = state.connection {
                if !connection.isLost { return connection }
                connection.close()
                state.connection = nil
            }
            // Another thread has tried since this one wants a connection: nobody is asked for a password twice.
            if attempts.load(ordering: .acquiring) != known, let failure = state.failure { throw failure }
            do {
                let connection = try connect()
                (state.connection, state.failure) = (connection, nil)
                return connection
            } catch {
                state.failure = error
                attempts.add(1, ordering: .acquiringAndReleasing)
                throw error
            }
        }
    }

    /// Ends the connection.
    func close() {
        state.withLock { state in
            state.connection?.close()
            state.connection = nil
        }
    }
}
