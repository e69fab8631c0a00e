import Synchronization
import ValiseFailures
import ValiseFiles

/// What a transaction sees of others that run at the same time.
package enum PostgresIsolation: String, Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first.
    case repeatableRead = "REPEATABLE READ"
    /// As if they ran one after the other.
    case serializable = "SERIALIZABLE"
}

/// A transaction that is open, for the closure that it was begun for. What is asked for after that is refused.
package final class PostgresTransaction: Sendable {
    private let connection: PostgresConnection
    private let isOver = Atomic(false)

    init(_ connection: PostgresConnection) { self.connection = connection }

    fileprivate func end() { isOver.store(true, ordering: .relaxed) }

    private func check() throws(PostgresError) {
        guard !isOver.load(ordering: .relaxed) else {
            throw PostgresError(
                .general, .invalid, "the transaction of the database is over", connection.subject)
        }
    }

    /// Runs a script of several statements without values.
    ///
    /// - Parameters:
    ///   - script: never text from outside.
    ///   - limit: how long it may take.
    /// - Throws: ``PostgresError``
    package func runScript(_ script: String, within limit: Duration) throws(PostgresError) {
        try check()
        try connection.runScript(script, within: limit)
    }

    /// Takes a lock that ends with the transaction, and waits for it.
    ///
    /// - Parameters:
    ///   - lock: which.
    ///   - limit: how long; nil for the time of the settings.
    /// - Throws: ``PostgresError``: `timeout` where others had it all the time.
    package func take(_ lock: PostgresLock, within limit: Duration? = nil) throws(PostgresError) {
        try run("SELECT pg_advisory_xact_lock($1)", [.integer(lock.number)], within: limit)
    }

    /// Takes a lock that ends with the transaction, unless somebody has it.
    /// - Returns: whether it was taken.
    /// - Throws: ``PostgresError``
    package func tryTaking(_ lock: PostgresLock) throws(PostgresError) -> Bool {
        try run("SELECT pg_try_advisory_xact_lock($1)", [.integer(lock.number)])[0].boolean(0)
    }
}

extension PostgresTransaction: PostgresRunning {
    package func run(
        _ batch: [PostgresStatement], within limit: Duration?
    ) throws(PostgresError) -> [PostgresRows] {
        try check()
        return try connection.run(batch, within: limit)
    }
}

extension PostgresConnection {
    /// Runs a transaction: it is committed when the body returns, and rolled back when it throws.
    ///
    /// It begins with its first statement, in the same round trip. A body that catches the failure of a statement and returns
    /// does not commit anything: that failure is thrown again.
    ///
    /// - Parameters:
    ///   - isolation: what it sees of others.
    ///   - readOnly: whether the server refuses each change.
    ///   - attempts: how often it is run in all, where others were in its way (`isRetryable`). The body runs as often, so it
    ///     does nothing else that lasts.
    ///   - body: gets the transaction.
    /// - Throws: ``PostgresError``; whatever the body throws. `mayHaveTakenEffect` says that the end of the commit is unknown.
    @discardableResult
    package func transaction<Result>(
        _ isolation: PostgresIsolation = .readCommitted, readOnly: Bool = false, attempts: Int = 1,
        _ body: (PostgresTransaction) throws -> Result
    ) throws -> Result {
        let begin = "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(readOnly ? " READ ONLY" : "")"
        var attempt = 1
        while true {
            let failure: any Error
            do {
                return try self.attempt(begin, body)
            } catch {
                failure = error
            }
            guard let error = failure as? PostgresError, error.isRetryable, attempt < attempts else {
                throw failure
            }
            // Those that were in each other's way do not meet again at once.
            FileSystem.wait(.milliseconds(Int.random(in: 1...(10 << min(attempt, 5)))))
            attempt += 1
        }
    }

    private func attempt<Result>(
        _ begin: String, _ body: (PostgresTransaction) throws -> Result
    ) throws -> Result {
        try withSession { session throws(PostgresError) in try session.begin(begin) }
        let transaction = PostgresTransaction(self)
        defer { transaction.end() }
        let result: Result
        do {
            result = try body(transaction)
        } catch {
            try? withSession { session throws(PostgresError) in try session.rollBack() }
            throw error
        }
        try withSession { session throws(PostgresError) in try session.commit() }
        return result
    }
}

extension PostgresSession {
    /// Begins a transaction with the next statement.
    /// - Throws: ``PostgresError``: `invalid` within another one; where the connection is lost.
    fileprivate mutating func begin(_ statement: String) throws(PostgresError) {
        _ = unsafe try opened()
        guard !isInTransaction, isIdle else {
            throw PostgresError(.general, .invalid, "a transaction of the database is open already", subject)
        }
        (isInTransaction, pendingBegin, transactionFailure) = (true, statement, nil)
    }

    private mutating func leave() { (isInTransaction, pendingBegin, transactionFailure) = (false, nil, nil) }

    fileprivate mutating func commit() throws(PostgresError) {
        defer { leave() }
        if pendingBegin != nil { return }
        if let failure = transactionFailure {
            if isOpen { try end("ROLLBACK", commits: false) }
            throw failure
        }
        let tag = try end("COMMIT", commits: true)
        guard tag == "COMMIT" else {
            throw PostgresError(
                .general, .failed, "the transaction of the database was rolled back at its end", subject)
        }
    }

    /// Rolls back. A connection on which that fails is closed, which does the same.
    fileprivate mutating func rollBack() throws(PostgresError) {
        defer { leave() }
        guard isOpen, pendingBegin == nil else { return }
        do throws(PostgresError) {
            try end("ROLLBACK", commits: false)
        } catch {
            throw isOpen ? lose(error) : error
        }
    }

    @discardableResult
    private mutating func end(_ statement: String, commits: Bool) throws(PostgresError) -> String {
        let rows = try run([PostgresStatement(statement)], within: nil, commits: commits)
        return rows[0].tag
    }
}
