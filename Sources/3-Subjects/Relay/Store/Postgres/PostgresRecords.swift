import Synchronization
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
package import ValisePostgres

/// Records in a schema of PostgreSQL, which any number of processes share. Decision 74 says how they are kept.
///
/// Nothing is kept beside the database but what is not yet counted of downloads. Each upload has a name of its own, so it goes with bytes
/// that have no shared names (``ChunkBytes/sharesNames``). Whatever the database reports is ``XFTPStoreError/unavailable(_:subject:cause:)``:
/// clients repeat then, and drop a file for good after any other answer.
package final class PostgresRecords: ChunkRecords {
    /// Of one transaction that others are in the way of.
    private static let mostAttempts = 10
    /// How long connections that are in use are waited for at the end.
    private static let closingPatience = Duration.seconds(5)

    let pool: PostgresPool
    let quota: Int64?
    /// In recipients that one chunk may have at a time.
    let mostRecipients: Int64 = 10_000
    let downloads = DownloadNotes()
    /// One thread counts them at a time.
    let isCounting = Mutex(())
    /// The connection that has the lock of who sweeps, while this process does.
    let election = Mutex<PostgresConnection?>(nil)
    let isSweeping = Atomic(false)
    private let isClosed = Atomic(false)

    /// Opens the records of a schema. It is that of the pool's settings, and should have a name that says what it is, such as
    /// ``usualSchema``.
    ///
    /// - Parameters:
    ///   - pool: is closed with the records. As many connections as there are threads that serve are enough.
    ///   - quota: in bytes; nil for none. All processes should have the same.
    ///   - migrates: whether the schema is created, or brought up to date, where it is not. Others that do that at the same time are
    ///     waited for.
    ///   - clock: seconds since 1970, for when the first day begins.
    /// - Throws: ``XFTPStoreError``: `newer`, `damaged` or `unsupported` where the schema is not what this program knows or wants.
    package init(
        _ pool: PostgresPool, quota: Int64?, migrates: Bool = true,
        clock: @Sendable () -> Int64 = UTCTime.clock
    ) throws {
        self.pool = pool
        self.quota = quota
        do {
            let migrator = try PostgresMigrator(MigrationList(PostgresRecordsSchema.migrations))
            try pool.withConnection { connection in
                try Self.refuseOfficialTables(connection, pool.settings)
                if migrates {
                    try migrator.upgrade(on: connection)
                } else if try !migrator.status(on: connection).pending.isEmpty {
                    throw XFTPStoreError(
                        .unsupported, "the schema of the database is missing or older than this program",
                        subject: pool.settings.schema)
                }
                try connection.run(
                    "INSERT INTO days (began) VALUES ($1) ON CONFLICT DO NOTHING", [.integer(clock())])
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// The name of the schema where the operator does not say another one.
    package static let usualSchema = "valise_relay"

    package func close() throws {
        guard !isClosed.load(ordering: .acquiring) else { return }
        defer {
            isClosed.store(true, ordering: .releasing)
            _ = pool.close(within: Self.closingPatience)
        }
        try countDownloads()
    }

    // MARK: Asking

    /// - Throws: ``XFTPStoreError`` after the end.
    func checkOpen() throws(XFTPStoreError) {
        guard !isClosed.load(ordering: .acquiring) else { throw .closed }
    }

    /// Asks the database while a connection is lent. What others were in the way of is done again.
    ///
    /// - Parameters:
    ///   - patience: how long it waits for a connection; nil for the time of the pool.
    ///   - body: asks.
    /// - Throws: ``XFTPStoreError``; whatever else the body throws.
    func asking<Result>(
        within patience: Duration? = nil, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        try checkOpen()
        var attempt = 1
        while true {
            do {
                return try pool.withConnection(within: patience, body)
            } catch {
                let isRetryable = (error as? PostgresError)?.isRetryable ?? false
                guard isRetryable, attempt < Self.mostAttempts else { throw Self.failure(error) }
            }
            // Those that were in each other's way do not meet again at once.
            FileSystem.wait(.milliseconds(Int.random(in: 1...(5 << min(attempt, 5)))))
            attempt += 1
        }
    }

    /// One transaction in one round trip: what it has changed is durable when this returns.
    /// - Returns: the rows of each statement.
    /// - Throws: ``XFTPStoreError``; ``PostgresError`` only for a violated constraint.
    func run(_ batch: [PostgresStatement]) throws -> [PostgresRows] { try asking { try $0.run(batch) } }

    /// One transaction with one statement.
    func run(_ sql: String, _ parameters: [PostgresParameter] = []) throws -> PostgresRows {
        try run([PostgresStatement(sql, parameters)])[0]
    }

    /// One transaction that changes the row of the space, which all uploads want: it is held for microseconds and not until a disk
    /// has flushed. A second transaction, which holds nothing, waits for that. What is committed later is never durable sooner, so
    /// others cannot make anything last that builds on something that does not.
    func runBriefly(_ sql: String, _ parameters: [PostgresParameter]) throws -> PostgresRows {
        try asking { connection in
            let rows = try connection.run([Self.withoutFlush, PostgresStatement(sql, parameters)])[1]
            try connection.run([Self.flush])
            return rows
        }
    }

    /// One transaction that nobody minds to lose in a crash of the server.
    func runLoosely(
        _ sql: String, _ parameters: [PostgresParameter], within patience: Duration? = nil
    ) throws {
        _ = try asking(within: patience) {
            try $0.run([Self.withoutFlush, PostgresStatement(sql, parameters)])
        }
    }

    /// Makes durable what others have committed.
    func waitForFlush() throws { _ = try run([Self.flush]) }

    /// The setting ends with the transaction.
    private static let withoutFlush = PostgresStatement(
        "SELECT set_config('synchronous_commit', 'off', true)")
    /// Writes a message of a few bytes to the log of the server, which has to be flushed for it.
    private static let flush = PostgresStatement(
        "SELECT pg_logical_emit_message(true, 'valise-relay', '') IS NOT NULL")

    /// A row of the counters. Those who count at the same moment take different ones, most of the time.
    static var shard: PostgresParameter {
        .integer(.random(in: 0..<PostgresRecordsSchema.shardCount))
    }

    // MARK: Failures

    /// What clients get to hear of a failure of the database, and its operator.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as PostgresError where error.kind == .closed: XFTPStoreError.closed
        case let error as PostgresError where error.isViolation: error
        case let error as PostgresError:
            XFTPStoreError.unavailable(error.message, subject: error.subject, cause: error)
        case let error as MigrationError where error.isOfDatabase:
            XFTPStoreError.unavailable(error.message, subject: error.subject, cause: error.cause)
        case let error as MigrationError:
            XFTPStoreError(error.code, error.message, subject: error.subject, cause: error.cause)
        default: error
        }
    }
}

extension PostgresError {
    /// Whether something has the name already that was to be given.
    fileprivate var isViolation: Bool { kind == .constraint(.unique) }
}

extension MigrationError {
    /// Whether the database could not be used, rather than that its schema is another one.
    fileprivate var isOfDatabase: Bool { (cause as? PostgresError)?.isOutage ?? false }
}
