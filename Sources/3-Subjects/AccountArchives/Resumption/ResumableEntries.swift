import ValiseArchives
import ValiseFiles

/// A zip file that a later run can continue, where this one does not come to its end.
///
/// From time to time it is flushed, on the thread that writes it, and then its journal gets the records of the entries that
/// are durable.
final class ResumableEntries: ExportEntries {
    private let writer: ZipWriter
    private let journal: ExportJournal
    private let ledger: EntryLedger
    private let flushing: ArchiveExport.Flushing
    private let clock: @Sendable () -> Int64
    /// What an earlier run left, until it was looked at.
    private var previous: PreviousEntries?
    private var lastFlush = ContinuousClock.now
    /// How much of the archive is durable.
    private var durable: Int64 = 0

    /// - Parameters:
    ///   - file: where the archive goes; at its beginning.
    ///   - journal: what becomes durable is told there.
    ///   - previous: what an earlier run left in the file; nil where it is empty.
    ///   - export: how it is written.
    init(
        _ file: consuming OpenFile, _ journal: ExportJournal, _ previous: PreviousEntries?,
        _ export: ArchiveExport
    ) throws {
        let ledger = EntryLedger()
        self.ledger = ledger
        self.journal = journal
        self.previous = previous
        flushing = export.flushing
        clock = export.clock
        writer = try ZipWriter(
            file, level: export.options.level, isReproducible: export.options.isReproducible,
            workers: export.workers
        ) { ledger.complete($0) }
    }

    var tracksFiles: Bool { true }

    func add(
        _ name: String, size: Int64, modificationTime: Int64, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void
    ) throws -> Int64 {
        try unsafe writer.add(
            name, size: size, modificationTime: modificationTime, method: method, next: next,
            afterEach: afterEach)
    }

    func added(from file: AddedFile) {
        switch file {
        case .database: ledger.add(.database)
        case .file(let before, let after):
            let origin = ExportOrigin(before: before, after: after, now: clock())
            ledger.add(origin.map(EntryLedger.Origin.file) ?? .unknown)
        case .incomplete: ledger.add(.unknown)
        }
        if isFlushDue { flush() }
    }

    private var isFlushDue: Bool {
        guard ledger.waitingBytes > 0 else { return false }
        return ledger.written - durable >= flushing.bytes || ledger.waitingBytes >= flushing.records
            || ContinuousClock.now - lastFlush >= flushing.time
    }

    private func flush(isLast: Bool = false) {
        writer.flush(isLast: isLast) { end in
            let (records, entries) = ledger.take(upTo: end)
            durable = end
            return { [journal] in journal.append(records, entries) }
        }
        lastFlush = ContinuousClock.now
    }

    func takeOver(
        _ sources: ArraySlice<ExportSource>, _ fileSystem: FileSystem, _ progress: (Int64) throws -> Void
    ) throws -> TakenEntries? {
        guard let previous else { return nil }
        let taken = try previous.takeOver(sources, into: writer, fileSystem, progress)
        if let end = taken.journalEnd {
            try journal.take(taken.kept, upTo: end)
        } else {
            try journal.remove()
        }
        writer.continueBehindAdopted()
        durable = try writer.settle()
        ledger.begin(at: durable)
        lastFlush = ContinuousClock.now
        self.previous = nil
        return taken
    }

    func finish() throws -> Int64 { try writer.finish() }

    /// Waits until nothing is written any more, to the archive or to its journal.
    func wait() { writer.wait() }

    /// Ends before the archive is complete.
    /// - Returns: what is left then.
    func stop() -> ExportContinuation {
        // Whether anything is durable is known when what was handed on is written.
        writer.wait()
        // Small ones are as quickly written anew.
        if journal.isBegun {
            writer.handOnRest()
            flush(isLast: true)
        }
        writer.wait()
        if previous != nil { return .left(nil) }
        return journal.isBegun ? .left(journal.kept) : .leftNothing(.tooLittle)
    }
}
