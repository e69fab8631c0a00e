import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Brings log and bodies together when a relay starts.
struct StoreStart {
    let settings: ChunkStoreSettings
    let bytes: any ChunkBytes
    private let fileSystem: FileSystem
    private(set) var records = ChunkTables()
    private(set) var report = StoreStartReport()

    /// - Parameters:
    ///   - settings: the log, and how old things are.
    ///   - bytes: nobody else has them.
    ///   - fileSystem: of the log.
    init(_ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, _ fileSystem: FileSystem) {
        self.settings = settings
        self.bytes = bytes
        self.fileSystem = fileSystem
    }

    /// - Returns: the log to continue; nil without one.
    mutating func run() throws -> StoreLog? {
        guard let path = settings.log else {
            try reconcile { $0 }
            return nil
        }
        let files = StoreLogFiles(path, fileSystem: fileSystem)
        report.interruptedStart = try files.restoreInterruptedStart()
        try files.createIfMissing()
        let ending = try replay(path)
        let log = try StoreLog(path, ending, fileSystem: fileSystem)
        try reconcile { [fileSystem] orphans in
            var named: Set<StoredID> = []
            if orphans.isEmpty { return named }
            _ = try StoreLogReader.read(path, fileSystem: fileSystem) { _, line in
                if let id = try? line.get().sender, orphans.contains(id) { named.insert(id) }
            }
            return named
        }
        try compact(log, files, ending)
        return log
    }

    // MARK: Log

    private mutating func replay(_ path: FilePath) throws -> StoreLogReader.Ending {
        let ending = try StoreLogReader.read(path, fileSystem: fileSystem) { number, line in
            do throws(StoreLogFault) {
                try records.apply(try line.get())
            } catch {
                report.note(error, number)
            }
        }
        guard ending.lineCount == 0 || report.badLineCount < ending.lineCount else {
            throw XFTPStoreError(
                .damaged,
                "not a store log: none of its \(Count.text(ending.lineCount, "line")) is valid. "
                    + "Nothing was changed.",
                subject: path.string)
        }
        report.lineCount = ending.lineCount
        report.droppedTornLine = ending.isTorn
        return ending
    }

    private mutating func compact(
        _ log: StoreLog, _ files: StoreLogFiles, _ ending: StoreLogReader.Ending
    ) throws {
        guard ending.isTorn || ending.lineCount != StoreLogCompaction.lineCount(of: records) else {
            return log.noteCompact()
        }
        do {
            // What the lines that go now had removed, in this run or the one before, must not come back with a power
            // cut.
            try bytes.synchronize()
            report.backup = try StoreLogCompaction(settings, files, bytes).run(log, records)
        } catch {
            report.compactionFailure = XFTPStoreError(error)
        }
    }

    // MARK: Bodies

    /// - Parameter named: of bodies without a record, which of their chunks the log names.
    private mutating func reconcile(_ named: (Set<StoredID>) throws -> Set<StoredID>) throws {
        for slot in 0..<records.chunks.end where records.chunks[slot].isHere { records.markMissing(slot) }
        var (orphans, leftovers): ([ListedBody], [BodyName]) = ([], [])
        let found = try bytes.takeStock { body in
            guard let slot = records.chunk(body.name.chunk) else { return orphans.append(body) }
            let record = records.chunks[slot]
            if !record.flags.contains(.uploaded) || record.body != body.name {
                leftovers.append(body.name)
            } else if body.size == Int64(record.size) {
                records.markUploaded(slot, upload: record.upload)
            }
        }
        report.removedPartials += found.removedPartials
        report.foreignEntries += found.foreignEntries
        report.removalFailure = report.removalFailure ?? found.removalFailure
        for slot in 0..<records.chunks.end where records.chunks[slot].flags.contains(.missing) {
            report.missingBodies += 1
        }
        for name in leftovers { remove(name) }
        removeOrphans(orphans, try named(Set(orphans.map(\.name.chunk))))
    }

    private mutating func removeOrphans(_ orphans: [ListedBody], _ named: Set<StoredID>) {
        let oldest = settings.clock() - settings.lifetime - 3600
        for body in orphans {
            if settings.log == nil || named.contains(body.name.chunk) || body.modified < oldest {
                remove(body.name)
            } else {
                report.unknownBodies += 1
            }
        }
    }

    private mutating func remove(_ name: BodyName) {
        do {
            try bytes.remove(name)
            report.removedBodies += 1
        } catch {
            report.removalFailure = report.removalFailure ?? XFTPStoreError(error)
        }
    }
}
