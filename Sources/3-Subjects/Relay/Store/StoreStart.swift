import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Brings log and bodies together when a relay starts.
struct StoreStart {
    let settings: ChunkStoreSettings
    let folder: ChunkFolder
    private let fileSystem: FileSystem
    private(set) var records = ChunkRecords()
    private(set) var report = StoreStartReport()

    init(_ settings: ChunkStoreSettings, _ folder: ChunkFolder) {
        self.settings = settings
        self.folder = folder
        fileSystem = folder.fileSystem
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
            try folder.synchronize()
            report.backup = try StoreLogCompaction(settings, files, folder).run(log, records)
        } catch {
            report.compactionFailure = XFTPStoreError(error)
        }
    }

    // MARK: Bodies

    /// - Parameter named: of bodies without a record, which of them the log names.
    private mutating func reconcile(_ named: (Set<StoredID>) throws -> Set<StoredID>) throws {
        for slot in 0..<records.chunks.end where records.chunks[slot].isHere { records.markMissing(slot) }
        var (orphans, leftovers): (Set<StoredID>, [FilePath]) = ([], [])
        try fileSystem.forEachEntry(of: folder.path) { entry throws(FileError) in
            switch entry.kind == .regular ? ChunkFolder.name(entry.nameBytes) : .foreign {
            case .foreign: report.foreignEntries += 1
            case .partial:
                if let name = FilePath.Component(bytes: entry.nameBytes) {
                    leftovers.append(folder.path.appending(name))
                }
            case .body(let id):
                guard let slot = records.chunk(id) else {
                    orphans.insert(id)
                    return
                }
                let size = try fileSystem.attributes(of: folder.body(id))?.size
                if !records.chunks[slot].flags.contains(.uploaded) {
                    leftovers.append(folder.body(id))
                } else if size == Int64(records.chunks[slot].size) {
                    records.markUploaded(slot)
                }
            }
        }
        for slot in 0..<records.chunks.end where records.chunks[slot].flags.contains(.missing) {
            report.missingBodies += 1
        }
        for path in leftovers { remove(path) }
        try removeOrphans(orphans, try named(orphans))
    }

    private mutating func removeOrphans(_ orphans: Set<StoredID>, _ named: Set<StoredID>) throws {
        let oldest = settings.clock() - settings.lifetime - 3600
        for id in orphans {
            let path = folder.body(id)
            let attributes = try fileSystem.attributes(of: path)
            if settings.log == nil || named.contains(id) || (attributes?.modificationTime ?? 0) < oldest {
                remove(path)
            } else {
                report.unknownBodies += 1
            }
        }
    }

    private mutating func remove(_ path: FilePath) {
        do throws(FileError) {
            try fileSystem.remove(path)
            if path.lastComponent?.extension == "partial" {
                report.removedPartials += 1
            } else {
                report.removedBodies += 1
            }
        } catch {
            report.removalFailure = report.removalFailure ?? XFTPStoreError(error)
        }
    }
}
