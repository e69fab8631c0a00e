import CValiseSQLCipher
import Synchronization
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets SQLite read a database from a ``ByteSource``: never locked, never changed, without side files.
///
/// SQLite calls such a file immutable, and believes that no journal and no write-ahead log belongs to it.
enum SourceVFS {
    static let name = "valise-source"

    private struct Waiting {
        let source: any ByteSource
        let failure: SourceFailure
    }

    /// The sources that are about to be opened, by the names that SQLite is given.
    private static let waiting = Mutex<(last: Int, sources: [String: Waiting])>((0, [:]))

    /// Registered once and for all; false where SQLite has no memory.
    private static let isRegistered: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: made(from: system.pointee))
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }()

    /// Opens something by the name that stands for the source, for as long as `body` runs.
    /// - Parameter failure: keeps what the source throws later.
    static func withName<Result>(
        of source: any ByteSource, failure: SourceFailure, _ body: (String) -> Result
    ) -> Result? {
        guard isRegistered else { return nil }
        let name = waiting.withLock { waiting in
            waiting.last += 1
            let name = "/valise-source-\(waiting.last)"
            waiting.sources[name] = Waiting(source: source, failure: failure)
            return name
        }
        defer { waiting.withLock { $0.sources[name] = nil } }
        return body(name)
    }

    private static func made(from system: sqlite3_vfs) -> sqlite3_vfs {
        var vfs = sqlite3_vfs()
        vfs.iVersion = 1
        vfs.szOsFile = Int32(MemoryLayout<SourceFile>.size)
        vfs.mxPathname = 64
        // It lives as long as the process.
        vfs.zName = UnsafePointer(strdup(name))
        vfs.xOpen = { _, name, file, flags, outFlags in
            guard let name, let file, flags & SQLITE_OPEN_MAIN_DB != 0,
                let waiting = SourceVFS.waiting.withLock({ $0.sources[String(cString: name)] })
            else { return SQLITE_CANTOPEN }
            SourceFile.open(file, waiting.source, waiting.failure)
            outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
            return SQLITE_OK
        }
        vfs.xDelete = { _, _, _ in SQLITE_READONLY }
        vfs.xAccess = { _, _, _, exists in
            exists?.pointee = 0
            return SQLITE_OK
        }
        vfs.xFullPathname = { _, name, size, full in
            guard let name, let full, strlen(name) < Int(size) else { return SQLITE_CANTOPEN }
            strcpy(full, name)
            return SQLITE_OK
        }
        // These ask nothing of the file system.
        vfs.xRandomness = system.xRandomness
        vfs.xSleep = system.xSleep
        vfs.xCurrentTime = system.xCurrentTime
        vfs.xGetLastError = system.xGetLastError
        return vfs
    }
}
