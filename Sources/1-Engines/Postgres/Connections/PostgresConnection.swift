import Synchronization
import ValiseFailures

/// A connection to a server. Threads that use it at the same time wait for each other, statement by statement; a pool gives
/// each thread one of its own.
package final class PostgresConnection: Sendable {
    private let session: Mutex<PostgresSession>
    package let settings: PostgresSettings
    /// The server, as messages name it.
    package let subject: String

    /// Connects.
    /// - Throws: ``PostgresError``
    package init(_ settings: PostgresSettings) throws(PostgresError) {
        let session = try PostgresSession.connect(settings)
        self.settings = settings
        subject = session.subject
        self.session = Mutex(session)
    }

    /// Whether it can be used, as far as is known without asking the server.
    package var isOpen: Bool { session.withLock { $0.isOpen } }

    /// Closes it. What is asked for later is an error. Locks and an open transaction end with it.
    package func close() { session.withLock { $0.close() } }

    /// How many statements are prepared.
    package var preparedCount: Int { session.withLock { $0.preparedCount } }

    /// Whether it is as it was when it was made: open, without a transaction and without locks.
    var isReusable: Bool {
        session.withLock { $0.isOpen && $0.isIdle && !$0.isInTransaction && $0.locks.isEmpty }
    }

    /// Notices that the server has ended the connection. Does not wait.
    /// - Throws: ``PostgresError`` where it has.
    package func lookAlive() throws(PostgresError) {
        try session.withLock { session throws(PostgresError) in try session.lookAlive() }
    }

    /// Asks the server for an answer.
    /// - Throws: ``PostgresError``
    package func check(within limit: Duration) throws(PostgresError) {
        _ = try run([PostgresStatement("SELECT 1")], within: limit)
    }

    /// Runs a script of several statements without values. Outside of a transaction it is one.
    ///
    /// - Parameters:
    ///   - script: never text from outside.
    ///   - limit: how long it may take.
    /// - Throws: ``PostgresError``
    package func runScript(_ script: String, within limit: Duration) throws(PostgresError) {
        try session.withLock { session throws(PostgresError) in
            let deadline = ContinuousClock.now + limit
            try session.runScript(script, until: deadline)
        }
    }

    /// Uses the session alone.
    func withSession<Result>(
        _ body: (inout PostgresSession) throws(PostgresError) -> sending Result
    ) throws(PostgresError) -> sending Result {
        try session.withLock { session throws(PostgresError) in try body(&session) }
    }
}

extension PostgresConnection: PostgresRunning {
    /// Outside of a transaction a batch is one: all of it counts, or nothing.
    package func run(
        _ batch: [PostgresStatement], within limit: Duration?
    ) throws(PostgresError) -> [PostgresRows] {
        try withSession { session throws(PostgresError) in try session.run(batch, within: limit) }
    }
}

extension PostgresSession {
    /// - Parameter limit: nil for the time of the settings.
    mutating func run(
        _ batch: [PostgresStatement], within limit: Duration?, commits: Bool? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        let limit = limit ?? settings.statementTimeout
        let deadline = ContinuousClock.now + limit
        guard limit > settings.statementTimeout, !batch.isEmpty else {
            return try run(batch, until: deadline, commits: commits)
        }
        // The server would end it sooner. The setting ends with the transaction.
        let setting = PostgresStatement(
            "SELECT set_config('statement_timeout', $1, true)",
            [.text(Self.milliseconds(limit + settings.cancelPatience))])
        do throws(PostgresError) {
            return Array(try run([setting] + batch, until: deadline, commits: commits).dropFirst())
        } catch {
            throw error.ofStatement(error.statement.flatMap { $0 == 0 ? nil : $0 - 1 })
        }
    }
}
