import ValiseArchives

/// Entries on their way into an archive: which files they come from, and which ones are complete and not durable yet.
final class EntryLedger {
    /// What an entry comes from.
    enum Origin {
        /// It is written anew by each run, before everything else.
        case database
        case file(ExportOrigin)
        /// It has not all bytes of its file, or that changes: no later run can keep it, nor what is behind it.
        case unknown
    }

    /// A complete entry the record of which waits.
    private struct Waiting {
        /// Where it ends in the archive.
        let end: Int64
        /// Of its file.
        let size: Int64
        let record: [UInt8]
    }

    /// Of entries that are not complete, the last one first.
    private var leaving: [Origin] = []
    /// Of those behind them, the first one first.
    private var coming: [Origin] = []
    private var waiting: [Waiting] = []
    private var isEnded = false

    /// Where the last complete entry ends.
    private(set) var written: Int64 = 0

    /// How many bytes of records wait.
    private(set) var waitingBytes = 0

    /// Says where the entry comes from that was just added. Of each entry, before another one is added.
    func add(_ origin: Origin) { coming.append(origin) }

    /// Takes the record of the first entry that was not complete before.
    func complete(_ entry: ZipWrittenEntry) {
        if leaving.isEmpty {
            leaving = coming.reversed()
            coming.removeAll(keepingCapacity: true)
        }
        written = entry.end
        switch leaving.popLast() {
        case .file(let origin)? where !isEnded:
            let record = ExportJournalRecord.bytes(of: entry, from: origin)
            waiting.append(Waiting(end: entry.end, size: entry.size, record: record))
            waitingBytes += record.count
        case .database?: break
        default: isEnded = true
        }
    }

    /// The next complete entry ends behind those of an earlier run.
    func begin(at end: Int64) { written = end }

    /// Takes out the records of entries that end there or before.
    func take(upTo end: Int64) -> (records: [UInt8], of: ExportContinuation.Kept) {
        let taken = Array(waiting.prefix { $0.end <= end })
        waiting.removeFirst(taken.count)
        let records = taken.flatMap(\.record)
        waitingBytes -= records.count
        let size = taken.reduce(Int64(0)) { $0 + $1.size }
        return (records, ExportContinuation.Kept(files: taken.count, size: size))
    }
}
