import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// The log and what stands beside it: `.start` and `.bak` of an official relay, and previous logs named for the time.
struct StoreLogFiles {
    /// In seconds: three weeks.
    private static let backupLifetime: Int64 = 21 * 86_400
    /// So many are kept however old they are.
    private static let fewestBackups = 3
    /// What all of them may have together, in bytes; the last is kept however long it is.
    static let mostBackupBytes: Int64 = 256 << 20

    let path: FilePath
    let fileSystem: FileSystem

    init(_ path: FilePath, fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// An official relay renames the log to `.start` before it writes a new one. Where that is still there it was
    /// killed in between, and the log is not whole.
    /// - Returns: where the log that is not whole is kept; nil when nothing was to be done.
    func restoreInterruptedStart() throws(FileError) -> FilePath? {
        let start = path.appendingSuffix(".start")
        guard try fileSystem.exists(start) else { return nil }
        let backup = path.appendingSuffix(".bak")
        if try fileSystem.exists(path) {
            try fileSystem.rename(path, to: backup)
            try fileSystem.synchronizeDirectory(path.parentFolder)
        }
        try fileSystem.rename(start, to: path)
        try fileSystem.synchronizeDirectory(path.parentFolder)
        return backup
    }

    func createIfMissing() throws(FileError) {
        try fileSystem.makeDirectories(path.parentFolder)
        guard try !fileSystem.exists(path) else { return }
        let file = try fileSystem.create(path)
        try file.synchronize()
        try file.close()
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }

    /// Gives the log a second name for the time, before another takes its first.
    func keepBackup(now: Int64) throws(FileError) -> FilePath {
        let name = path.appendingSuffix("." + UTCTime(seconds: now).isoText)
        var backup = name
        var number = 1
        while try fileSystem.exists(backup) {
            backup = name.appendingSuffix(".\(number)")
            number += 1
        }
        do throws(FileError) {
            try fileSystem.link(path, as: backup)
        } catch  where error.code == .unsupported || error.code == .denied {
            try fileSystem.rename(copy(), to: backup)
        }
        return backup
    }

    private func copy() throws(FileError) -> FilePath {
        let copy = path.appendingSuffix(".copy")
        if try fileSystem.exists(copy) { try fileSystem.remove(copy) }
        do {
            try fileSystem.copy(path, to: copy)
        } catch {
            throw error as? FileError ?? FileError(.failed, "cannot copy the log", copy)
        }
        return copy
    }

    /// Removes previous logs that are older than three weeks, but keeps the last three, and of those the ones that there
    /// is space for.
    func prune(now: Int64, mostBytes: Int64 = mostBackupBytes) throws(FileError) {
        guard let prefix = path.lastComponent.map({ $0.string + "." }) else { return }
        var backups: [(time: Int64, path: FilePath)] = []
        var kept: Int64 = 0
        for entry in try fileSystem.list(path.parentFolder) {
            guard let name = entry.name, name.hasPrefix(prefix), entry.kind == .regular,
                let end = name.lastIndex(of: "Z"),
                let time = UTCTime(name[name.index(name.startIndex, offsetBy: prefix.count)...end])
            else { continue }
            backups.append((time.seconds, path.parentFolder.appending(name)))
        }
        backups.sort { ($0.time, $0.path.string) < ($1.time, $1.path.string) }
        for (place, backup) in backups.reversed().enumerated() {
            kept += try fileSystem.attributes(of: backup.path)?.size ?? 0
            let isOld = place >= Self.fewestBackups && backup.time < now - Self.backupLifetime
            if isOld || (place > 0 && kept > mostBytes) { try fileSystem.remove(backup.path) }
        }
    }
}
