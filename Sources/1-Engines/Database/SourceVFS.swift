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
        guard let system = unsafe sqlite3_vfs_find(nil) else { return false }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe vfs.initialize(to: made(from: system.pointee))
        return unsafe sqlite3_vfs_register(vfs, 0) == SQLITE_OK
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
        var vfs = unsafe sqlite3_vfs()
        unsafe vfs.iVersion = 1
        unsafe vfs.szOsFile = Int32(MemoryLayout<SourceFile>.size)
        unsafe vfs.mxPathname = 64
        // It lives as long as the process.
        unsafe vfs.zName = unsafe UnsafePointer(strdup(name))
        unsafe vfs.xOpen = { _, name, file, flags, outFlags in
            guard let name = unsafe name, let file = unsafe file, flags & SQLITE_OPEN_MAIN_DB != 0,
                let waiting = SourceVFS.waiting.withLock({ unsafe $0.sources[String(cString: name)] })
            else { return SQLITE_CANTOPEN }
            unsafe SourceFile.open(file, waiting.source, waiting.failure)
            unsafe outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
            return SQLITE_OK
        }
        unsafe vfs.xDelete = { _, _, _ in SQLITE_READONLY }
        unsafe vfs.xAccess = { _, _, _, exists in
            unsafe exists?.pointee = 0
            return SQLITE_OK
        }
        unsafe vfs.xFullPathname = { _, name, size, full in
            guard let name = unsafe name, let full = unsafe full, unsafe strlen(name) < Int(size) else {
                return SQLITE_CANTOPEN
            }
            unsafe strcpy(full, name)
            return SQLITE_OK
        }
        // These ask nothing of the file system.
        unsafe vfs.xRandomness = unsafe system.xRandomness
        unsafe vfs.xSleep = unsafe system.xSleep
        unsafe vfs.xCurrentTime = unsafe system.xCurrentTime
        unsafe vfs.xGetLastError = unsafe system.xGetLastError
        return unsafe vfs
    }
}
