import Synchronization
import ValisePostgres
import ValiseXFTPWire

extension PostgresRecords {
    /// What there is and what was counted, over all shards.
    private static let sums = """
        SELECT (SELECT began FROM days), sum(uploaded)::bigint,
            (SELECT total FROM space) - (SELECT coalesce(sum(size), 0)::bigint FROM reservations),
            sum(files_created)::bigint, sum(file_recipients)::bigint, sum(files_uploaded)::bigint,
            sum(files_expired)::bigint, sum(files_deleted)::bigint, sum(files_blocked)::bigint,
            sum(file_downloads)::bigint, sum(file_download_acks)::bigint, sum(downloaded_day)::bigint,
            sum(downloaded_week)::bigint, sum(downloaded_month)::bigint
        FROM counters
        """

    // MARK: Downloads

    /// Of a download, which others wait behind for a connection.
    private static let noPatience = Duration.milliseconds(50)

    /// Is kept for a second or so, and does not throw where the database cannot be had then: the download goes on.
    package func noteDownload(of chunk: StoredID, at now: Int64) throws {
        guard downloads.add(chunk, day: UInt16(clamping: now / 86_400)) else { return }
        // While another thread counts, this one need not wait for it.
        isCounting.withLockIfAvailable { _ in try? countNoted(within: Self.noPatience) }
    }

    /// Counts the downloads that were noted. They are kept where that fails.
    /// - Throws: ``XFTPStoreError``.
    func countDownloads() throws { try isCounting.withLock { _ in try countNoted() } }

    /// - Parameter patience: how long it waits for a connection; nil for the time of the pool.
    private func countNoted(within patience: Duration? = nil) throws {
        var batches = downloads.take()
        defer { if !batches.isEmpty { downloads.putBack(batches) } }
        while let batch = batches.first {
            try runLoosely(
                "SELECT note_downloads($1, $2, $3, $4)",
                [
                    .ids(batch.counts.keys), .integer(Int64(batch.count)), .integer(Int64(batch.day)),
                    Self.shard,
                ], within: patience)
            batches.removeFirst()
        }
    }

    // MARK: Days

    package func statistics() throws -> StoreStatistics {
        try countDownloads()
        let row = try run(Self.sums)[0]
        return try row.counters().statistics(count: row.number(1), size: row.integer(2))
    }

    package func endDay(at now: Int64) throws -> String? {
        // Most of the time it is the same day.
        let began = try run("SELECT began FROM days")[0].integer(0)
        guard began / 86_400 < now / 86_400 else { return nil }
        try countDownloads()
        return try asking { try $0.transaction { try Self.endDay(at: now, in: $0) } }
    }

    /// While the row of the day and all counters are locked: of processes that end a day at the same moment, one does.
    private static func endDay(at now: Int64, in transaction: PostgresTransaction) throws -> String? {
        let rows = try transaction.run([
            PostgresStatement("SELECT began FROM days FOR UPDATE"),
            PostgresStatement("SELECT shard FROM counters ORDER BY shard FOR UPDATE"),
            PostgresStatement(sums),
        ])[2]
        var counters = try rows[0].counters()
        let line = counters.rollOver(
            now: now, count: try rows[0].number(1), size: try rows[0].integer(2))
        guard let line else { return nil }
        try transaction.run([
            PostgresStatement(
                """
                UPDATE counters SET files_created = 0, file_recipients = 0, files_uploaded = 0,
                    files_expired = 0, files_deleted = 0, files_blocked = 0, file_downloads = 0,
                    file_download_acks = 0, downloaded_day = 0, downloaded_week = 0, downloaded_month = 0
                """),
            PostgresStatement(
                "UPDATE counters SET downloaded_week = $1, downloaded_month = $2 WHERE shard = 0",
                [
                    .integer(Int64(counters.downloaded.week)), .integer(Int64(counters.downloaded.month)),
                ]),
            PostgresStatement("UPDATE days SET began = $1", [.integer(counters.from)]),
        ])
        return line
    }
}

extension PostgresRow {
    /// Of the sums of all shards.
    fileprivate func counters() throws -> StoreCounters {
        var counters = StoreCounters(from: try integer(0))
        counters.filesCreated = try number(3)
        counters.fileRecipients = try number(4)
        counters.filesUploaded = try number(5)
        counters.filesExpired = try number(6)
        counters.filesDeleted = try number(7)
        counters.filesBlocked = try number(8)
        counters.fileDownloads = try number(9)
        counters.fileDownloadAcknowledgements = try number(10)
        counters.downloaded = StoreCounters.Downloaded(
            day: try number(11), week: try number(12), month: try number(13))
        return counters
    }
}
