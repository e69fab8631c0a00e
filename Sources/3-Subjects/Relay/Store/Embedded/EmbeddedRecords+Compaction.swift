import Synchronization
import SystemPackage
import ValiseFailures
import ValiseXFTPWire

extension EmbeddedRecords {
    /// How many lines too many the log has before it is worth compacting.
    private static let mostWaste = 100_000
    /// In seconds, after the first failure; twice as long after each further one.
    private static let shortestPause: Int64 = 600
    private static let longestPause: Int64 = 86_400

    /// When compaction is tried again that failed.
    struct CompactionPause {
        /// In seconds; zero when the last one worked.
        private(set) var length: Int64 = 0
        private var end: Int64 = 0

        /// - Parameters:
        ///   - now: a clock that was put back ends it.
        ///   - isUrgent: the relay takes nothing new until then, so that ten minutes are enough.
        func isOver(_ now: Int64, isUrgent: Bool = false) -> Bool {
            let end = isUrgent ? end - length + min(length, EmbeddedRecords.shortestPause) : end
            return now >= end || end - now > length
        }

        mutating func begin(_ now: Int64) {
            length = min(max(shortestPause, length * 2), longestPause)
            end = now + length
        }

        mutating func forget() { self = CompactionPause() }
    }

    /// Writes the log anew where more than half of its lines, and 100,000, say nothing any more, or where it has twice
    /// the length that it had after the last time, and 64 MiB more. Nobody changes anything meanwhile: some seconds for a
    /// million chunks. After a failure it is left alone for ten minutes, then longer, up to a day.
    /// - Throws: ``XFTPStoreError``; the previous log goes on.
    package func compactWhereWorthwhile() throws {
        guard let log, mayCompact(log), Self.isLong(log.extent, settings) || hasIdleLines(log) else { return }
        do {
            try compact()
            state.withLock { $0.compactionPause.forget() }
        } catch {
            state.withLock { $0.compactionPause.begin(settings.clock()) }
            throw error
        }
    }

    /// Whether the log has grown so much that it should not wait for the next look. Quick: ask after every command.
    package var wantsCompaction: Bool {
        log.map { Self.isLong($0.extent, settings) && mayCompact($0) } ?? false
    }

    private func mayCompact(_ log: StoreLog) -> Bool {
        let isUrgent = Self.isOverlong(log.extent, settings)
        return state.withLock { $0.compactionPause.isOver(settings.clock(), isUrgent: isUrgent) }
    }

    /// Announcements are what a log grows by: whoever registers and deletes without end could fill the disk faster
    /// than the log is compacted.
    /// - Throws: ``XFTPStoreError``, answer `QUOTA`, while the log is much longer than one that is to be compacted.
    func checkLogLength() throws(XFTPStoreError) {
        guard let log, Self.isOverlong(log.extent, settings) else { return }
        throw XFTPStoreError(
            .noSpace, "the log is too long and must be compacted first. Nothing was changed.",
            subject: log.path.string, answer: .quota)
    }

    private static func isLong(_ extent: StoreLog.Extent, _ settings: ChunkStoreSettings) -> Bool {
        extent.growth > settings.mostLogGrowth + extent.compactSize
    }

    private static func isOverlong(_ extent: StoreLog.Extent, _ settings: ChunkStoreSettings) -> Bool {
        extent.growth > settings.hardLogGrowth + 2 * extent.compactSize
    }

    private func hasIdleLines(_ log: StoreLog) -> Bool {
        let lines = log.extent.lineCount
        guard lines > Self.mostWaste else { return false }
        // Rather too many, without a look at each chunk.
        let needed = state.withLock { state in
            2 * state.records.chunks.count + state.records.uploadedCount
                + state.records.recipients.count / StoreLogLine.mostRecipients
        }
        return lines - needed > max(Self.mostWaste, lines / 2)
    }

    /// Writes the log anew, and keeps the previous one for three weeks.
    /// - Throws: ``XFTPStoreError``; the previous log goes on.
    func compact() throws {
        guard let log else { return }
        do {
            try stripes.withAllLocks {
                guard !state.withLock({ $0.isClosed }) else { throw XFTPStoreError.closed }
                // What the lines that go now had removed must not come back with a power cut.
                try bytes.synchronize()
                let files = StoreLogFiles(log.path, fileSystem: fileSystem)
                // No change is possible, so these stay what they are; others may still look.
                let records = state.withLock { $0.records }
                _ = try StoreLogCompaction(settings, files, bytes).run(log, records)
            }
        } catch {
            throw XFTPStoreError(error)
        }
    }
}
