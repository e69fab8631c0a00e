/// The counters of a relay, in the terms of the official one.
package struct StoreStatistics: Hashable, Sendable, Codable {
    /// Since when most of them count, in seconds since 1970: the last midnight, or the first start.
    package let from: Int64
    /// Chunks that were announced.
    package let filesCreated: Int
    /// Names of recipients that were given.
    package let fileRecipients: Int
    package let filesUploaded: Int
    package let filesExpired: Int
    package let filesDeleted: Int
    package let filesBlocked: Int
    package let fileDownloads: Int
    package let fileDownloadAcknowledgements: Int
    /// Distinct chunks.
    package let downloadedToday: Int
    package let downloadedThisWeek: Int
    package let downloadedThisMonth: Int
    /// Whose bodies are here at this moment.
    package let filesCount: Int
    /// Of these, in bytes.
    package let filesSize: Int64

    package init(
        from: Int64, filesCreated: Int, fileRecipients: Int, filesUploaded: Int, filesExpired: Int,
        filesDeleted: Int, filesBlocked: Int, fileDownloads: Int, fileDownloadAcknowledgements: Int,
        downloadedToday: Int, downloadedThisWeek: Int, downloadedThisMonth: Int, filesCount: Int,
        filesSize: Int64
    ) {
        self.from = from
        self.filesCreated = filesCreated
        self.fileRecipients = fileRecipients
        self.filesUploaded = filesUploaded
        self.filesExpired = filesExpired
        self.filesDeleted = filesDeleted
        self.filesBlocked = filesBlocked
        self.fileDownloads = fileDownloads
        self.fileDownloadAcknowledgements = fileDownloadAcknowledgements
        self.downloadedToday = downloadedToday
        self.downloadedThisWeek = downloadedThisWeek
        self.downloadedThisMonth = downloadedThisMonth
        self.filesCount = filesCount
        self.filesSize = filesSize
    }
}

extension ChunkStore {
    /// What happened since the last midnight.
    /// - Throws: ``XFTPStoreError``.
    package var statistics: StoreStatistics {
        get throws { try calling { try records.statistics() } }
    }

    /// Ends a day: counters begin again. Call it soon after each midnight in UTC, and as often as one likes.
    ///
    /// - Returns: the day's line of comma-separated values, as in the official daily log; nil while it is still the
    ///   same day.
    /// - Throws: ``XFTPStoreError``.
    package func endDay() throws -> String? { try calling { try records.endDay(at: rules.clock()) } }
}

extension StoreStatistics {
    /// The text that Prometheus reads, with the names of the official relay.
    ///
    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - version: of the relay.
    package func prometheusText(now: Int64, version: String) -> String {
        let prefix = "simplex_xftp_"
        func sample(_ name: String, _ kind: String, _ help: String, _ value: Int64) -> String {
            "# HELP \(prefix)\(name) \(help)\n# TYPE \(prefix)\(name) \(kind)\n\(prefix)\(name) \(value) \(now)\n"
        }
        let counters: [(String, String, Int)] = [
            ("files_created", "Chunks announced", filesCreated),
            ("files_recipients", "Recipient IDs created", fileRecipients),
            ("files_uploaded", "Chunks uploaded", filesUploaded),
            ("files_expired", "Chunks expired", filesExpired),
            ("files_deleted", "Chunks deleted", filesDeleted),
            ("files_blocked", "Chunks blocked", filesBlocked),
            ("file_downloads", "Downloads", fileDownloads),
            ("file_download_acks", "Downloads acknowledged", fileDownloadAcknowledgements),
        ]
        let gauges: [(String, String, Int64)] = [
            ("files_count_total", "Chunks stored", Int64(filesCount)),
            ("files_size", "Bytes stored", filesSize),
            ("files_count_daily", "Distinct chunks downloaded today", Int64(downloadedToday)),
            ("files_count_weekly", "Distinct chunks downloaded this week", Int64(downloadedThisWeek)),
            ("files_count_monthly", "Distinct chunks downloaded this month", Int64(downloadedThisMonth)),
        ]
        return counters.map { sample($0.0, "counter", $0.1, Int64($0.2)) }.joined()
            + gauges.map { sample($0.0, "gauge", $0.1, $0.2) }.joined()
            + "# HELP \(prefix)info The relay\n# TYPE \(prefix)info gauge\n"
            + "\(prefix)info{version=\"\(version)\",rts_options=\"\"} 1 \(now)\n"
    }
}
