import Synchronization
import ValiseFiles

extension EmbeddedRecords {
    package func statistics() throws -> StoreStatistics {
        state.withLock { state in
            state.counters.statistics(
                count: state.records.uploadedCount, size: state.records.usedSpace)
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
