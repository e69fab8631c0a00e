import CValiseSQLCipher
import Synchronization
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file of ``SourceVFS`` as SQLite sees it: its table of methods, then what is ours.
struct SourceFile {
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
        let box = Unmanaged.passRetained(Box(source, failure)).toOpaque()
        UnsafeMutableRawPointer(file).initializeMemory(
            as: SourceFile.self, to: SourceFile(base: sqlite3_file(pMethods: methods), box: box))
    }

    private static func box(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Box? {
        guard let box = file.flatMap({ UnsafeMutableRawPointer($0).load(as: SourceFile.self).box }) else {
            return nil
        }
        return Unmanaged<Box>.fromOpaque(box).takeUnretainedValue()
    }

    /// Where the failures of a connection's sources are kept; nil where its first database is a file.
    static func failure(of connection: OpaquePointer?) -> SourceFailure? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            file?.pointee.pMethods == methods
        else { return nil }
        return box(file)?.failure
    }

    private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let box = file.flatMap({ UnsafeMutableRawPointer($0).load(as: SourceFile.self).box }) else {
            return
        }
        Unmanaged<Box>.fromOpaque(box).release()
    }

    /// What is missing at the end is zeros to SQLite.
    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) -> Int32 {
        guard let box = box(file) else { return readFailed }
        let count: Int
        do {
            count = try box.source.read(into: buffer, at: offset)
        } catch {
            box.failure.keep(error)
            return readFailed
        }
        guard count < buffer.count else { return SQLITE_OK }
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return endReached
    }

    /// One table for all files, as long as the process lives.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: made())
        return UnsafePointer(methods)
    }()

    private static func made() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            SourceFile.close(file)
            return SQLITE_OK
        }
        methods.xRead = { file, buffer, count, offset in
            SourceFile.read(file, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), offset)
        }
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            size?.pointee = SourceFile.box(file)?.source.size ?? 0
            return SQLITE_OK
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, isHeld in
            isHeld?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
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
