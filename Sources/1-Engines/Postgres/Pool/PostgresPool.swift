import Synchronization
import ValiseConcurrency
import ValiseFailures

/// Connections to one server, for any number of threads: each borrows one, and waits where none is free.
///
/// Connections are made when they are needed. One that broke, or that comes back with a transaction or locks, is closed, and
/// another one takes its place with the next borrower.
package final class PostgresPool: Sendable {
    /// How many there are, and how long they are waited for.
    package struct Limits: Sendable {
        /// The most connections at a time.
        package var connections: Int
        /// How long a borrower waits for one.
        package var patience = Duration.seconds(10)
        /// A connection that was unused for longer is asked for an answer before it is used.
        package var idleTime = Duration.seconds(30)
        /// How long that answer may take.
        package var checkPatience = Duration.seconds(5)

        /// - Parameter connections: at least 1.
        package init(connections: Int) { self.connections = max(1, connections) }
    }

    /// What a pool is doing.
    package struct Counts: Sendable, Hashable {
        /// Connections that are borrowed, or are being made for a borrower.
        package let borrowed: Int
        /// Connections that wait for a borrower.
        package let idle: Int
        /// Borrowers that wait for a connection.
        package let waiting: Int
    }

    private struct Idle {
        let connection: PostgresConnection
        let since: ContinuousClock.Instant
    }

    /// What somebody who waited gets: a connection, or the right to make one.
    private enum Handover {
        case connection(PostgresConnection)
        case place
        case closed
    }

    /// A borrower that waits.
    private final class Waiter: Sendable {
        let gate = Gate()
        let handover = Mutex<Handover?>(nil)

        func give(_ value: Handover) {
            handover.withLock { $0 = value }
            gate.signal()
        }
    }

    private struct State {
        /// The one that was used last is the last.
        var idle: [Idle] = []
        var borrowed = 0
        /// The one that waits longest is the first.
        var waiters: [Waiter] = []
        var isClosed = false
    }

    package let settings: PostgresSettings
    package let limits: Limits
    private let state = Mutex(State())
    /// Opens when the last connection of a closed pool is back.
    private let isDrained = Gate()

    /// - Parameters:
    ///   - settings: how connections are made. None is made yet.
    ///   - limits: how many.
    package init(_ settings: PostgresSettings, _ limits: Limits) {
        self.settings = settings
        self.limits = limits
    }

    deinit { close() }

    package var counts: Counts {
        state.withLock {
            Counts(borrowed: $0.borrowed, idle: $0.idle.count, waiting: $0.waiters.count)
        }
    }

    // MARK: Borrowing

    /// Lends a connection to the body.
    ///
    /// - Parameters:
    ///   - patience: how long it waits for a free one; nil for that of the limits. To check an old one and to make a new one have
    ///     times of their own.
    ///   - body: uses it on this thread, and keeps nothing of it.
    /// - Throws: ``PostgresError``: `busy` where none became free in time, `closed` after ``close()``; whatever the body throws.
    package func withConnection<Result>(
        within patience: Duration? = nil, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        let connection = try borrow(within: patience ?? limits.patience)
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Runs a batch as a transaction of its own, in one round trip.
    ///
    /// - Parameters:
    ///   - batch: any number of statements.
    ///   - limit: how long all of them may take; nil for the time of the settings.
    /// - Returns: what each has answered.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func run(
        _ batch: [PostgresStatement], within limit: Duration? = nil
    ) throws -> [PostgresRows] {
        try withConnection { try $0.run(batch, within: limit) }
    }

    /// Runs a transaction on a borrowed connection; see ``PostgresConnection/transaction(_:readOnly:attempts:_:)``.
    /// - Throws: ``PostgresError``; whatever the body throws.
    @discardableResult
    package func transaction<Result>(
        _ isolation: PostgresIsolation = .readCommitted, readOnly: Bool = false, attempts: Int = 1,
        _ body: (PostgresTransaction) throws -> Result
    ) throws -> Result {
        try withConnection {
            try $0.transaction(isolation, readOnly: readOnly, attempts: attempts, body)
        }
    }

    private enum Choice {
        case handover(Handover)
        case wait(Waiter)
    }

    private func borrow(within patience: Duration) throws(PostgresError) -> PostgresConnection {
        let deadline = ContinuousClock.now + patience
        let choice = state.withLock { state -> Choice in
            if state.isClosed { return .handover(.closed) }
            // Those who wait come first.
            guard state.waiters.isEmpty, state.borrowed < limits.connections else {
                let waiter = Waiter()
                state.waiters.append(waiter)
                return .wait(waiter)
            }
            state.borrowed += 1
            return .handover(.place)
        }
        switch choice {
        case .handover(let handover): return try use(handover)
        case .wait(let waiter): return try use(wait(waiter, until: deadline))
        }
    }

    /// - Throws: ``PostgresError``: `busy`.
    private func wait(
        _ waiter: Waiter, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> Handover {
        _ = waiter.gate.wait(atMost: max(.zero, deadline - .now))
        // It may have been given one in the moment in which it stopped to wait.
        let handover = state.withLock { state -> Handover? in
            state.waiters.removeAll { $0 === waiter }
            return waiter.handover.withLock { $0 }
        }
        guard let handover else {
            throw PostgresError(
                .busy, .inUse, "all connections to the database are in use (limit: \(limits.connections))",
                remedy: .tryLater)
        }
        return handover
    }

    private func use(_ handover: Handover) throws(PostgresError) -> PostgresConnection {
        switch handover {
        case .closed: throw Self.closed
        case .connection(let connection): return connection
        case .place:
            // The place is ours: it has to be left where nothing comes of it.
            do throws(PostgresError) {
                return try connection()
            } catch {
                leavePlace()
                throw error
            }
        }
    }

    private static var closed: PostgresError {
        PostgresError(.closed, .failed, "the connections to the database are closed")
    }

    /// An idle connection that still works, or a new one.
    private func connection() throws(PostgresError) -> PostgresConnection {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            guard isAlive(idle) else {
                idle.connection.close()
                continue
            }
            return idle.connection
        }
        return try PostgresConnection(settings)
    }

    private func isAlive(_ idle: Idle) -> Bool {
        do throws(PostgresError) {
            try idle.connection.lookAlive()
        } catch {
            return false
        }
        guard .now - idle.since > limits.idleTime else { return true }
        do throws(PostgresError) {
            try idle.connection.check(within: limits.checkPatience)
            return true
        } catch {
            // The others are older: to ask one after the other would take as long each time.
            closeIdle()
            return false
        }
    }

    private func closeIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for entry in idle { entry.connection.close() }
    }

    // MARK: Giving back

    private func giveBack(_ connection: PostgresConnection) {
        guard connection.isReusable else {
            connection.close()
            leavePlace()
            return
        }
        let isKept = state.withLock { state in
            if state.isClosed { return false }
            if state.waiters.isEmpty {
                state.borrowed -= 1
                state.idle.append(Idle(connection: connection, since: .now))
            } else {
                state.waiters.removeFirst().give(.connection(connection))
            }
            return true
        }
        if isKept { return }
        connection.close()
        leavePlace()
    }

    /// Gives the place of a connection that is there no more to who waits, or to nobody.
    private func leavePlace() {
        let isLast = state.withLock { state in
            if !state.waiters.isEmpty, !state.isClosed {
                state.waiters.removeFirst().give(.place)
                return false
            }
            state.borrowed -= 1
            return state.isClosed && state.borrowed == 0
        }
        if isLast { isDrained.signal() }
    }

    // MARK: Closing

    /// Closes what is idle, and refuses those who wait and those who come. Borrowed connections are closed when they come back.
    /// Several times is once.
    package func close() {
        let (idle, waiters) = state.withLock { state in
            defer { (state.idle, state.waiters, state.isClosed) = ([], [], true) }
            return (state.idle, state.waiters)
        }
        for waiter in waiters { waiter.give(.closed) }
        for entry in idle { entry.connection.close() }
    }

    /// Closes, and waits for those who have borrowed a connection.
    ///
    /// - Parameter patience: how long.
    /// - Returns: whether all are back.
    package func close(within patience: Duration) -> Bool {
        close()
        guard counts.borrowed > 0 else { return true }
        guard isDrained.wait(atMost: patience) else { return counts.borrowed == 0 }
        // For others who wait, too.
        isDrained.signal()
        return true
    }
}
