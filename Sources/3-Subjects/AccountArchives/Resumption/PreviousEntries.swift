import SystemPackage
import ValiseArchives
import ValiseFiles

/// What was taken over of an earlier run.
struct TakenEntries {
    /// The first ones of the sources.
    var kept = ExportContinuation.Kept()
    /// How many of them are stored.
    var stored = 0
    /// Where the last record of these ends in the journal; nil for none.
    var journalEnd: Int64?
    /// Why that is not more; nil where nothing stands in the way of more.
    var reason: ExportContinuation.Reason?
}

/// An archive that an earlier run did not complete, and its journal.
struct PreviousEntries {
    let partial: FilePath
    let journal: ExportJournalReader

    /// Takes over the longest run of entries from the first one on that a run without an interruption would write now: their
    /// files are the same ones, unchanged, in the same order, and the archive has what was written.
    ///
    /// - Parameters:
    ///   - sources: what follows on the databases.
    ///   - writer: has written the databases.
    ///   - fileSystem: where the archive and the files are.
    ///   - progress: gets how many bytes of the sources were done; throw to stop.
    /// - Throws: `ZipError` and `FileError` of what was written before; whatever `progress` throws.
    func takeOver(
        _ sources: ArraySlice<ExportSource>, into writer: ZipWriter, _ fileSystem: FileSystem,
        _ progress: (Int64) throws -> Void
    ) throws -> TakenEntries {
        let start = try writer.settle()
        let check = ZipWrittenCheck(try FileSource(partial, fileSystem: fileSystem))
        var journal = journal
        var taken = TakenEntries()
        for source in sources {
            // What cannot be read is the end, as what is not whole is.
            guard let record = try? journal.next() else { break }
            taken.reason = try obstacle(record, source, check, start, taken, fileSystem) {
                try progress(taken.kept.size)
            }
            guard taken.reason == nil else { break }
            guard writer.adopt(record.entry) else {
                taken.reason = .damaged
                break
            }
            taken.kept.files += 1
            taken.kept.size += record.entry.size
            if record.entry.method == .stored { taken.stored += 1 }
            taken.journalEnd = journal.position
        }
        if taken.kept.files == 0, taken.reason == nil { taken.reason = sources.isEmpty ? .media : .damaged }
        return taken
    }

    /// Why an entry cannot be kept; nil where it can.
    private func obstacle(
        _ record: ExportJournalRecord, _ source: ExportSource, _ check: ZipWrittenCheck, _ start: Int64,
        _ taken: TakenEntries, _ fileSystem: FileSystem, _ progress: () throws -> Void
    ) throws -> ExportContinuation.Reason? {
        // The first one begins where the databases ended.
        guard taken.kept.files > 0 || record.entry.offset == start else { return .databases }
        guard record.entry.name == source.name, isUnchanged(record.origin, source, fileSystem) else {
            return .media
        }
        do {
            let isIntact = try check.isIntact(record.entry) { _ in try progress() }
            return isIntact ? nil : .damaged
        } catch is FileError {
            // What cannot be read is not there: it is written once more.
            return .damaged
        }
    }

    /// Whether a file is the one that was read. One that cannot be looked at is not.
    private func isUnchanged(
        _ origin: ExportOrigin, _ source: ExportSource, _ fileSystem: FileSystem
    ) -> Bool {
        guard let found = try? fileSystem.attributes(of: source.path), found.kind == .regular else {
            return false
        }
        return ExportOrigin(found) == origin
    }
}
