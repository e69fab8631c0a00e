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
        /// Where its record ends.
        let recordEnd: Int
        /// Of its file.
        let size: Int64
    }

    /// Of entries that are not complete, the last one first.
    private var leaving: [Origin] = []
    /// Of those behind them, the first one first.
    private var coming: [Origin] = []
    private var records: [UInt8] = []
    private var waiting: [Waiting] = []
    private var isEnded = false

    /// Where the last complete entry ends.
    private(set) var written: Int64 = 0

    /// How many bytes of records wait.
    var waitingBytes: Int { records.count }

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
            ExportJournalRecord.append(entry, of: origin, to: &records)
            waiting.append(Waiting(end: entry.end, recordEnd: records.count, size: entry.size))
        case .database?: break
        default: isEnded = true
        }
    }

    /// The next complete entry ends behind those of an earlier run.
    func begin(at end: Int64) { written = end }

    /// Takes out the records of entries that end there or before.
    func take(upTo end: Int64) -> (records: [UInt8], of: ExportContinuation.Kept) {
        let count = waiting.firstIndex { $0.end > end } ?? waiting.count
        guard count > 0 else { return ([], ExportContinuation.Kept()) }
        let size = waiting[..<count].reduce(Int64(0)) { $0 + $1.size }
        let length = waiting[count - 1].recordEnd
        let taken = Array(records[..<length])
        records.removeFirst(length)
        let rest = waiting[count...]
        waiting = rest.map { Waiting(end: $0.end, recordEnd: $0.recordEnd - length, size: $0.size) }
        return (taken, ExportContinuation.Kept(files: count, size: size))
    }
}
