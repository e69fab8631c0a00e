import ValiseAccounts
import ValiseArchives
import ValiseEncoding

/// What a scan says for the report: of databases, of bytes that nothing explains, and of how much is proved.
struct ScanFindings {
    private let scan: ZipScan
    private let selection: SalvagedEntries

    init(_ scan: ZipScan, _ selection: SalvagedEntries) {
        self.scan = scan
        self.selection = selection
    }

    func note(_ report: inout ArchiveSalvageReport) {
        report.kept = selection.kept
        report.databases = AccountDatabase.allCases.map { database in
            let isIntact = selection.intact(database) != nil
            return .init(
                database: database, state: isIntact ? .intact : .missing,
                entry: isIntact ? database.archiveName : nil)
        }
        report.unknown = scan.unknown.filter { $0 != directoryRest }
            .map { .init(from: $0.lowerBound, to: $0.upperBound) }
        report.isEverythingNamed = !scan.isIncomplete && (scan.isLastArchiveNamed || isWithoutGaps)
        noteArchives(&report)
    }

    /// Whether one entry follows another from the first byte to the place where the directory begins.
    private var isWithoutGaps: Bool {
        guard let last = scan.lastDirectory else { return false }
        let start = scan.directories[last].range.lowerBound
        let entriesEnd = scan.entries.filter { $0.end <= start }.map(\.end).max()
        return entriesEnd == start && !scan.unknown.contains { $0.lowerBound < start }
    }

    /// What a cut left of a record of the last directory.
    private var directoryRest: Range<Int64>? {
        guard let last = scan.lastDirectory, scan.directories[last].expected == nil else { return nil }
        let start = scan.directories[last].range.upperBound
        return scan.size - start < Self.longestRecord ? start..<scan.size : nil
    }

    /// In bytes: a central header with name, extra fields and comment.
    private static let longestRecord: Int64 = 46 + 3 * 0xffff

    private func noteArchives(_ report: inout ArchiveSalvageReport) {
        let archives = scan.directories.count { !$0.isNested }
        if archives == 0 {
            report.notes.append(
                "no central directory found; the archive may have contained more")
        } else if !report.isEverythingNamed {
            report.notes.append(
                "the central directory is damaged; the archive may have contained more")
        } else if let last = scan.lastDirectory, !scan.isLastArchiveNamed {
            let damage =
                scan.directories[last].expected == nil
                ? "the end of the central directory is missing" : "the central directory is damaged"
            report.notes.append("\(damage); all entries before it were found")
        }
        if archives > 1 {
            report.notes.append(
                "the file contains \(Count.text(archives, "archive")); for each name, the entry "
                    + "of the last one is used if "
                    + "intact")
        }
        if scan.isIncomplete {
            report.notes.append(
                "scanning exceeds the work limit for a file of this size, as only crafted files do; not all of it "
                    + "was scanned")
        }
        if let chat = selection.intact(.chat), let agent = selection.intact(.agent), archives > 1,
            chat.directory != agent.directory
        {
            report.notes.append(
                "the databases come from different archives in the file and may not match")
        }
    }
}
