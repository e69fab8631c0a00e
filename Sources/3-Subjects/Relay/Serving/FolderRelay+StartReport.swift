import Logging

/// What was found when the store was opened.
extension FolderRelay {
    static func report(_ report: StoreStartReport, _ log: Logger) {
        log.info(
            "store opened",
            metadata: [
                "lines": "\(report.lineCount)", "removedBodies": "\(report.removedBodies)",
                "removedPartials": "\(report.removedPartials)",
            ])
        for line in report.badLines {
            log.error(
                "skipped a line of the store log: \(line.reason)",
                metadata: ["line": "\(line.number)"])
        }
        if report.badLineCount > report.badLines.count {
            log.error("skipped more lines of the store log", metadata: ["count": "\(report.badLineCount)"])
        }
        if report.droppedTornLine {
            log.warning("dropped the incomplete last line of the store log")
        }
        if let path = report.interruptedStart {
            log.warning(
                "repaired an interrupted start of the official relay", metadata: ["kept": "\(path)"])
        }
        if let failure = report.compactionFailure {
            log.error("compacting the store log failed", metadata: ["error": .failure(failure)])
        }
        if let failure = report.removalFailure {
            log.error("cannot remove a file", metadata: ["error": .failure(failure)])
        }
        for (count, text) in [
            (report.missingBodies, "chunk bodies are missing: their chunks can be uploaded again"),
            (report.unknownBodies, "chunk bodies are not in the store log: they are kept until they are old"),
            (report.foreignEntries, "the chunk body folder has other files"),
        ] where count > 0 {
            log.warning("\(text)", metadata: ["count": "\(count)"])
        }
    }
}
