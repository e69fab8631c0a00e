import SystemPackage
import ValiseFailures
import ValiseFiles

extension ChunkStore {
    /// For locks of what has just ended.
    private static let patience = Duration.milliseconds(500)

    /// The folders that embedded records and what belongs to them have for themselves.
    /// - Parameter bytes: of the records. Those of a server are not locked.
    static func lock(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, _ fileSystem: FileSystem
    ) throws -> [DirectoryLock] {
        var folders = bytes is ChunkFolder ? [try fileSystem.resolve(settings.folder)] : []
        // A relay without a log has its folder for itself, too.
        for file in [settings.log, settings.statistics] {
            guard let parent = file?.parentFolder else { continue }
            try fileSystem.makeDirectories(parent)
            let folder = try fileSystem.resolve(parent)
            if !folders.contains(folder) { folders.append(folder) }
        }
        return try folders.map { try lock($0, .exclusive) }
    }

    /// - Throws: ``XFTPStoreError``: `inUse` where another relay has the folder.
    static func lock(_ folder: FilePath, _ mode: LockMode) throws -> DirectoryLock {
        guard let lock = try DirectoryLock.take(folder, mode, patience: patience) else {
            throw XFTPStoreError(
                .inUse, "another relay is using this folder",
                subject: folder.string, remedy: .stopRelayOrChooseFolder)
        }
        return lock
    }
}
