import ValiseCryptography
import ValiseEncoding
import ValiseFailures

/// A lock that the server keeps for all who agree on its name: one at a time has it.
package struct PostgresLock: Sendable, Hashable {
    /// What the server knows it by.
    package let number: Int64

    /// - Parameter name: any text; the same text is the same lock.
    package init(_ name: String) {
        let digest = SHA256.hash(Array(name.utf8))
        number = Int64(bitPattern: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// Locks that last until they are released, or until the connection ends.
extension PostgresConnection {
    /// Takes a lock, and waits for it. Several times is as many releases.
    ///
    /// - Parameters:
    ///   - lock: which.
    ///   - limit: how long; nil for the time of the settings.
    /// - Throws: ``PostgresError``: `timeout` where others had it all the time.
    package func take(_ lock: PostgresLock, within limit: Duration? = nil) throws(PostgresError) {
        try withSession { session throws(PostgresError) in try session.take(lock, within: limit) }
    }

    /// Takes a lock, unless somebody has it.
    /// - Returns: whether it was taken.
    /// - Throws: ``PostgresError``
    package func tryTaking(_ lock: PostgresLock) throws(PostgresError) -> Bool {
        try withSession { session throws(PostgresError) in
            try session.tryTaking(lock)
        }
    }

    /// Releases a lock once.
    /// - Returns: whether this connection had it.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func release(_ lock: PostgresLock) throws(PostgresError) -> Bool {
        try withSession { session throws(PostgresError) in
            try session.release(lock)
        }
    }

    /// Runs the body while it has a lock.
    ///
    /// - Parameters:
    ///   - lock: which.
    ///   - limit: how long it may wait for the lock; nil for the time of the settings.
    ///   - body: what is done. A connection that is lost in it has no lock any more.
    /// - Throws: ``PostgresError``; whatever the body throws.
    package func holding<Result>(
        _ lock: PostgresLock, within limit: Duration? = nil, _ body: () throws -> Result
    ) throws -> Result {
        try take(lock, within: limit)
        let result: Result
        do {
            result = try body()
        } catch {
            _ = try? release(lock)
            throw error
        }
        try release(lock)
        return result
    }
}

extension PostgresSession {
    private static func statement(_ function: String, _ lock: PostgresLock) -> PostgresStatement {
        PostgresStatement("SELECT \(function)($1)", [.integer(lock.number)])
    }

    /// In a transaction it would outlast the failure of the transaction, where nobody expects it.
    private func checkPlace() throws(PostgresError) {
        guard !isInTransaction else {
            throw PostgresError(
                .general, .invalid, "a lock of the session cannot be taken in a transaction of the database",
                subject)
        }
    }

    fileprivate mutating func take(_ lock: PostgresLock, within limit: Duration?) throws(PostgresError) {
        try checkPlace()
        do throws(PostgresError) {
            _ = try run([Self.statement("pg_advisory_lock", lock)], within: limit)
        } catch {
            // It may have been given in the moment in which the waiting was stopped.
            if isOpen, locks[lock] == nil {
                _ = try? run([Self.statement("pg_advisory_unlock", lock)], within: nil)
            }
            throw error
        }
        locks[lock, default: 0] += 1
    }

    fileprivate mutating func tryTaking(_ lock: PostgresLock) throws(PostgresError) -> Bool {
        try checkPlace()
        let rows = try run([Self.statement("pg_try_advisory_lock", lock)], within: nil)
        guard try rows[0][0].boolean(0) else { return false }
        locks[lock, default: 0] += 1
        return true
    }

    fileprivate mutating func release(_ lock: PostgresLock) throws(PostgresError) -> Bool {
        let rows = try run([Self.statement("pg_advisory_unlock", lock)], within: nil)
        guard try rows[0][0].boolean(0) else { return false }
        if let count = locks[lock] { locks[lock] = count > 1 ? count - 1 : nil }
        return true
    }
}
