import Synchronization
import ValiseFiles

extension EmbeddedRecords {
    package func statistics() throws -> StoreStatistics {
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

    package func endDay(at now: Int64) throws -> String? {
        state.withLock { state in
            state.counters.rollOver(
                now: now, count: state.records.uploadedCount, size: state.records.usedSpace)
        }
    }

    package func noteDownload(of chunk: StoredID, at now: Int64) throws {
        let day = UInt16(clamping: now / 86_400)
        state.withLock { state in
            guard let slot = state.records.chunk(chunk) else { return }
            let previous = state.records.noteDownload(slot, day: day)
            state.counters.noteDownload(previous: previous, day: day)
        }
    }

    func keepStatistics() throws {
        guard let path = settings.statistics else { return }
        let text = state.withLock { $0.counters.text($0.records) }
        try fileSystem.replace(path, with: Array(text.utf8))
    }
}
