import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Writes a log that says only what is there now, and puts it in the place of the previous, which is kept.
///
/// At any moment one of both has the name, whole: a relay that is killed starts from either.
struct StoreLogCompaction {
    private static let pieceSize = 1 << 20

    /// What has to be left beside a new log, in bytes.
    static let spareSpace: Int64 = 1 << 20

    private let settings: ChunkStoreSettings
    private let files: StoreLogFiles
    private let bytes: any ChunkBytes

    init(_ settings: ChunkStoreSettings, _ files: StoreLogFiles, _ bytes: any ChunkBytes) {
        self.settings = settings
        self.files = files
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - log: is told, and continues with the new one. Nothing is appended meanwhile.
    ///   - records: what is there now.
    /// - Returns: where the previous log is.
    /// - Throws: ``XFTPStoreError``: `noSpace` before anything is written where both may not find space; failures of files.
    func run(_ log: StoreLog, _ records: ChunkTables) throws -> FilePath {
        let now = settings.clock()
        try makeSpace(log.extent.size + Self.spareSpace, now)
        let pending = try PendingFile(files.path, fileSystem: files.fileSystem)
        var ending = StoreLogReader.Ending()
        var file = try pending.open()
        var piece: [UInt8] = []
        try forEachLine(of: records) { line in
            piece += line.text.utf8
            piece.append(UInt8(ascii: "\n"))
            ending.lineCount += 1
            guard piece.count >= Self.pieceSize else { return }
            try file.write(piece)
            ending.wholeBytes += Int64(piece.count)
            piece.removeAll(keepingCapacity: true)
        }
        try file.write(piece)
        ending.wholeBytes += Int64(piece.count)
        try file.synchronize()
        try file.close()
        let backup = try files.keepBackup(now: now)
        log.willBeReplaced(by: ending)
        try pending.publish(replacing: true)
        try log.settle()
        // Previous logs that stay longer do no harm.
        try? files.prune(now: now)
        return backup
    }

    /// The new log is hardly longer than the previous, which stays.
    private func makeSpace(_ needed: Int64, _ now: Int64) throws {
        let place = files.path.parentFolder
        if try settings.freeSpace(place) >= needed { return }
        try files.prune(now: now)
        let free = try settings.freeSpace(place)
        guard free >= needed else {
            throw XFTPStoreError(
                .noSpace,
                "not enough free space to compact the log: \(Count.bytes(needed)) may be needed, and "
                    + "\(Count.bytes(free)) are free. The log is unchanged.", subject: files.path.string)
        }
    }

    private func forEachLine(
        of records: ChunkTables, _ body: (StoreLogLine) throws -> Void
    ) throws {
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            let path = bytes.location(of: records.chunks[slot].body)
            for line in records.lines(of: slot, path: path) { try body(line) }
        }
    }

    /// How many lines a compacted log of these records has.
    static func lineCount(of records: ChunkTables) -> Int {
        var count = 0
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            count += records.lineCount(of: slot)
        }
        return count
    }
}
