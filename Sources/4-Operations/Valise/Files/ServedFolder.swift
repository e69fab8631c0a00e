import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay

/// Where the chunks of a relay that serves one sending are: each run has a folder of its own.
enum ServedFolder {
    private static let prefix = "served-"
    /// In seconds: a younger one may be another run's that has not locked it yet.
    private static let newness: Int64 = 60

    /// Names a folder for this run, and removes those of runs that were killed: their relays had identities that are
    /// gone, so nobody can fetch anything from there.
    ///
    /// - Throws: ``OperationError``: `notFound` where no folder is known; `FileError`.
    static func make(_ folders: ValiseFolders) throws -> FilePath {
        guard let state = folders.state else {
            throw OperationError(
                .notFound, "no folder for the chunks. Nothing was sent.", need: .stateFolder)
        }
        try FileSystem().makeDirectories(state)
        removeRemains(in: state)
        let folder = state.appending(prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36))
        try FileSystem().makeDirectory(folder)
        return folder
    }

    /// The folders of runs that were killed.
    static func remains(_ folders: ValiseFolders) -> [FilePath] {
        var found: [FilePath] = []
        if let state = folders.state { forEachRemains(in: state) { found.append($0) } }
        return found
    }

    /// What cannot be removed now, a later run removes.
    private static func removeRemains(in state: FilePath) {
        forEachRemains(in: state) { try? FileSystem().removeTree($0) }
    }

    /// - Parameter body: gets a folder that no other run uses meanwhile.
    private static func forEachRemains(in state: FilePath, _ body: (FilePath) -> Void) {
        let fileSystem = FileSystem()
        let now = UTCTime.clock()
        let names = (try? fileSystem.list(state))?.compactMap(\.name) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = state.appending(name)
            guard let lock = lockLeft(folder, now: now) else { continue }
            body(folder)
            withExtendedLifetime(lock) {}
        }
    }

    /// Whether chunks are there that no run uses.
    static func isLeft(_ folder: FilePath) -> Bool { lockLeft(folder, now: UTCTime.clock()) != nil }

    private static func lockLeft(_ folder: FilePath, now: Int64) -> DirectoryLock? {
        guard let age = try? FileSystem().attributes(of: folder)?.modificationTime, age < now - newness else {
            return nil
        }
        return try? DirectoryLock(folder, .exclusive)
    }
}
