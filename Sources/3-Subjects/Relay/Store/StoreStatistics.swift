import Synchronization
import ValiseEncoding
import ValiseFiles

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
}

extension ChunkStore {
    /// What happened since the last midnight.
    package var statistics: StoreStatistics {
        state.withLock { state in
            let counters = state.counters
            return StoreStatistics(
                from: counters.from, filesCreated: counters.filesCreated,
                fileRecipients: counters.fileRecipients, filesUploaded: counters.filesUploaded,
                filesExpired: counters.filesExpired, filesDeleted: counters.filesDeleted,
                filesBlocked: counters.filesBlocked, fileDownloads: counters.fileDownloads,
                fileDownloadAcknowledgements: counters.fileDownloadAcknowledgements,
                downloadedToday: counters.downloaded.day, downloadedThisWeek: counters.downloaded.week,
                downloadedThisMonth: counters.downloaded.month, filesCount: state.records.uploadedCount,
                filesSize: state.records.usedSpace)
        }
    }

    /// Ends a day: counters begin again. Call it soon after each midnight in UTC, and as often as one likes.
    ///
    /// - Returns: the day's line of comma-separated values, as in the official daily log; nil while it is still the
    ///   same day.
    package func endDay() -> String? {
        let now = settings.clock()
        return state.withLock { state in
            state.counters.rollOver(
                now: now, count: state.records.uploadedCount, size: state.records.usedSpace)
        }
    }

    func noteDownload(_ sender: StoredID) {
        let day = UInt16(clamping: settings.clock() / 86_400)
        state.withLock { state in
            guard let slot = state.records.chunk(sender) else { return }
            let previous = state.records.noteDownload(slot, day: day)
            state.counters.noteDownload(previous: previous, day: day)
        }
    }

    func keepStatistics() throws {
        guard let path = settings.statistics else { return }
        let text = state.withLock { $0.counters.text($0.records) }
        try folder.fileSystem.replace(path, with: Array(text.utf8))
    }
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
