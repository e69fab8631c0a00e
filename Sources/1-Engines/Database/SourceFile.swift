import CValiseSQLCipher
import Synchronization
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file of ``SourceVFS`` as SQLite sees it: its table of methods, then what is ours.
@safe struct SourceFile {
    private var base: sqlite3_file
    private var box: UnsafeMutableRawPointer?

    // Macros that Swift does not see: SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ.
    private static let readFailed = SQLITE_IOERR | 1 << 8
    private static let endReached = SQLITE_IOERR | 2 << 8

    private final class Box {
        let source: any ByteSource
        let failure: SourceFailure
        init(_ source: any ByteSource, _ failure: SourceFailure) {
            self.source = source
            self.failure = failure
        }
    }

    static func open(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ source: any ByteSource, _ failure: SourceFailure
    ) {
        let box = unsafe Unmanaged.passRetained(Box(source, failure)).toOpaque()
        unsafe UnsafeMutableRawPointer(file).initializeMemory(
            as: SourceFile.self, to: SourceFile(base: sqlite3_file(pMethods: methods), box: box))
    }

    private static func box(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Box? {
        guard
            let box = unsafe file.flatMap({ unsafe UnsafeMutableRawPointer($0).load(as: SourceFile.self).box }
            )
        else {
            return nil
        }
        return unsafe Unmanaged<Box>.fromOpaque(box).takeUnretainedValue()
    }

    /// Where the failures of a connection's sources are kept; nil where its first database is a file.
    static func failure(of connection: OpaquePointer?) -> SourceFailure? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = unsafe connection,
            unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            unsafe file?.pointee.pMethods == methods
        else { return nil }
        return unsafe box(file)?.failure
    }

    private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard
            let box = unsafe file.flatMap({ unsafe UnsafeMutableRawPointer($0).load(as: SourceFile.self).box }
            )
        else {
            return
        }
        unsafe Unmanaged<Box>.fromOpaque(box).release()
    }

    /// What is missing at the end is zeros to SQLite.
    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) -> Int32 {
        guard let box = unsafe box(file) else { return readFailed }
        let count: Int
        do {
            count = try unsafe box.source.read(into: buffer, at: offset)
        } catch {
            box.failure.keep(error)
            return readFailed
        }
        guard count < buffer.count else { return SQLITE_OK }
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return endReached
    }

    /// One table for all files, as long as the process lives.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe methods.initialize(to: made())
        return unsafe UnsafePointer(methods)
    }()

    private static func made() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        unsafe methods.xClose = { file in
            unsafe SourceFile.close(file)
            return SQLITE_OK
        }
        unsafe methods.xRead = { file, buffer, count, offset in
            unsafe SourceFile.read(
                file, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), offset)
        }
        unsafe methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        unsafe methods.xTruncate = { _, _ in SQLITE_READONLY }
        unsafe methods.xSync = { _, _ in SQLITE_OK }
        unsafe methods.xFileSize = { file, size in
            unsafe size?.pointee = unsafe SourceFile.box(file)?.source.size ?? 0
            return SQLITE_OK
        }
        unsafe methods.xLock = { _, _ in SQLITE_OK }
        unsafe methods.xUnlock = { _, _ in SQLITE_OK }
        unsafe methods.xCheckReservedLock = { _, isHeld in
            unsafe isHeld?.pointee = 0
            return SQLITE_OK
        }
        unsafe methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        unsafe methods.xSectorSize = { _ in 4096 }
        unsafe methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
        return methods
    }
}

/// What a source threw while SQLite read from it. SQLite itself only knows that there was something.
final class SourceFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func keep(_ error: any Error) { self.error.withLock { $0 = error } }

    /// It is told once.
    func take() -> (any Error)? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
