import CSQLCipher
import Files

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
        init(_ source: any ByteSource) { self.source = source }
    }

    static func open(_ file: UnsafeMutablePointer<sqlite3_file>, _ source: any ByteSource) {
        UnsafeMutableRawPointer(file).initializeMemory(
            as: SourceFile.self,
            to: SourceFile(
                base: sqlite3_file(pMethods: methods), box: Unmanaged.passRetained(Box(source)).toOpaque()))
    }

    private static func source(_ file: UnsafeMutablePointer<sqlite3_file>?) -> (any ByteSource)? {
        guard let box = file.flatMap({ UnsafeMutableRawPointer($0).load(as: SourceFile.self).box }) else {
            return nil
        }
        return Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().source
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
        guard let count = try? source(file)?.read(into: buffer, at: offset) else { return readFailed }
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
            size?.pointee = SourceFile.source(file)?.size ?? 0
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
