import CValisePlatform
import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file. It is closed when it goes out of scope; call ``close()`` where a failure to close matters.
package struct OpenFile: ~Copyable, Sendable {
    /// Where the file was when it was opened.
    package let path: FilePath
    let descriptor: FileDescriptor
    let interposer: (any FileInterposer)?
    private var isOpen = true
    let isLocked = Atomic(false)
    /// The same file past the cache, see ``passCache()``.
    var uncached: FileDescriptor?
    /// False once the file system refused.
    let isUncached = Atomic(true)
    private var position: Int64 = 0
    private var writebackStart: Int64 = 0

    /// Writing back early keeps the final flush short and the dirty memory bounded. In large steps: with
    /// steps of 8 MiB the file system allocated worse, and an export took more than twice as long.
    private static let writebackStep: Int64 = 64 << 20

    init(path: FilePath, descriptor: FileDescriptor, interposer: (any FileInterposer)?) {
        self.path = path
        self.descriptor = descriptor
        self.interposer = interposer
    }

    deinit {
        guard isOpen else { return }
        try? uncached?.close()
        unlock()
        try? descriptor.close()
    }

    /// Closes and reports what the system says.
    /// - Throws: ``FileError`` when the system could not keep what was written.
    package consuming func close() throws(FileError) {
        isOpen = false
        try? uncached?.close()
        unlock()
        try Self.attempt("close", path) { try descriptor.close() }
    }

    /// The size in bytes.
    /// - Throws: ``FileError``.
    package borrowing func size() throws(FileError) -> Int64 {
        var size: Int64 = 0
        try Self.attempt("read", path) {
            let here = try descriptor.seek(offset: 0, from: .current)
            size = try descriptor.seek(offset: 0, from: .end)
            try descriptor.seek(offset: here, from: .start)
        }
        return size
    }

    /// What the system says of the file, whatever its name is by now.
    /// - Throws: ``FileError``.
    package borrowing func attributes() throws(FileError) -> FileAttributes {
        try FileAttributes(descriptor: descriptor, path: path)
    }

    /// Reads up to the buffer's size from the current position; 0 at the end of the file.
    /// - Throws: ``FileError``.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let buffer = try unsafe allowed(buffer)
        var count = 0
        try Self.attempt("read", path) { count = try unsafe descriptor.read(into: buffer) }
        return count
    }

    /// As much of the buffer as may be read into.
    borrowing func allowed(
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> UnsafeMutableRawBufferPointer {
        switch interposer?.verdict(onReading: path, count: buffer.count) {
        case .fail(let errno): throw FileError(cannot: "read", path, errno)
        case .shorten(let count):
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)])
        case .proceed, nil: unsafe buffer
        }
    }

    /// Reads up to the buffer's size from `offset`, without moving the position; 0 at the end of the file.
    /// - Throws: ``FileError``.
    package borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileError) -> Int {
        let buffer = try unsafe allowed(buffer)
        var count = 0
        try Self.attempt("read", path) {
            count = try unsafe descriptor.read(fromAbsoluteOffset: offset, into: buffer)
        }
        return count
    }

    /// Up to `count` bytes from `offset`: fewer only where the file ends.
    /// - Throws: ``FileError``.
    package borrowing func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let start = filled
            var got = 0
            try Self.attempt("read", path) {
                got = try unsafe bytes.withUnsafeMutableBytes { memory in
                    try unsafe descriptor.read(
                        fromAbsoluteOffset: offset + Int64(start),
                        into: UnsafeMutableRawBufferPointer(rebasing: memory[start...]))
                }
            }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Moves to `offset` from the start.
    /// - Throws: ``FileError``.
    package borrowing func seek(to offset: Int64) throws(FileError) {
        try Self.attempt("read", path) { try descriptor.seek(offset: offset, from: .start) }
    }

    /// Writes all of the buffer at the current position.
    /// - Throws: ``FileError``; part of the buffer may have been written.
    package mutating func write(_ buffer: UnsafeRawBufferPointer) throws(FileError) {
        var rest = unsafe buffer
        while unsafe !rest.isEmpty {
            let count = try unsafe writeSome(rest)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            position += Int64(count)
        }
        if position - writebackStart >= Self.writebackStep {
            valise_start_writeback(descriptor.rawValue, writebackStart, position - writebackStart)
            writebackStart = position
        }
    }

    /// Writes all of `bytes` at the current position.
    /// - Throws: ``FileError``; part of the bytes may have been written.
    package mutating func write(_ bytes: [UInt8]) throws(FileError) {
        // The pointer overload is typed; `withUnsafeBytes` is not.
        var failure: FileError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(FileError) { try unsafe write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Goes on writing at `offset` from the start; what lies before it stays as it is.
    /// - Throws: ``FileError``.
    package mutating func moveWriting(to offset: Int64) throws(FileError) {
        try seek(to: offset)
        // What is written past the cache has its place from here.
        (position, writebackStart) = (offset, offset)
    }

    /// Writes all of the buffer at `offset`, without moving the position; any thread may.
    /// - Throws: ``FileError``; part of the buffer may have been written.
    package borrowing func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        var written = 0
        while written < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
            unsafe written += try writeSome(rest, at: offset + Int64(written))
        }
    }

    /// Starts writing back a range without waiting, so that the final flush is short.
    package borrowing func startWriteback(_ range: Range<Int64>) {
        valise_start_writeback(descriptor.rawValue, range.lowerBound, range.upperBound - range.lowerBound)
    }

    private func writeSome(
        _ buffer: UnsafeRawBufferPointer, at offset: Int64? = nil
    ) throws(FileError) -> Int {
        var limit = buffer.count
        switch interposer?.verdict(on: .write(path, count: limit)) {
        case .fail(let errno): throw FileError(cannot: "write", path, errno)
        case .shorten(let count): limit = max(1, min(count, limit))
        case .proceed, nil: break
        }
        var count = 0
        try Self.attempt("write", path) {
            let some = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<limit])
            if let offset = offset ?? (uncached == nil ? nil : position) {
                count = try unsafe writePassing(some, at: offset)
            } else {
                count = try unsafe descriptor.write(some)
            }
        }
        return count
    }

    /// Cuts off what lies behind the first `size` bytes.
    /// - Throws: ``FileError``.
    package borrowing func truncate(to size: Int64 = 0) throws(FileError) {
        if case .fail(let errno) = interposer?.verdict(on: .write(path, count: 0)) {
            throw FileError(cannot: "write", path, errno)
        }
        try Self.attempt("write", path) { try descriptor.resize(to: size) }
    }

    /// Makes what was written durable: it survives a power cut once this returns.
    /// - Throws: ``FileError``. After a failure nothing may be believed of the file's content.
    package borrowing func synchronize() throws(FileError) {
        if case .fail(let errno) = interposer?.verdict(on: .synchronize(path)) {
            throw FileError(cannot: "flush", path, errno)
        }
        guard valise_flush(descriptor.rawValue) == 0 else {
            throw FileError(cannot: "flush", path, .current)
        }
    }

    /// Copies the rest of `source` here, in the kernel where it can, without reading it into memory.
    ///
    /// - Parameters:
    ///   - source: the file that is copied.
    ///   - progress: called about every 16 MiB with the bytes copied since; throw to stop.
    /// - Throws: ``FileError``; whatever `progress` throws.
    package mutating func append(
        contentsOf source: borrowing OpenFile, progress: (Int64) throws -> Void = { _ in }
    ) throws {
        var kernelCopies = interposer == nil && uncached == nil
        if kernelCopies, valise_clone(source.descriptor.rawValue, descriptor.rawValue) == 0 {
            return try progress(source.size())
        }
        while kernelCopies {
            let count = valise_copy_range(source.descriptor.rawValue, descriptor.rawValue, 16 << 20)
            if count == 0 { return }
            if count < 0 {
                let errno = Errno.current
                guard [.notSupported, .noFunction, .improperLink, .invalidArgument].contains(errno) else {
                    throw FileError(cannot: "write", path, errno)
                }
                kernelCopies = false
            } else {
                valise_start_writeback(descriptor.rawValue, position, Int64(count))
                position += Int64(count)
                try progress(Int64(count))
            }
        }
        try appendThroughMemory(contentsOf: source, progress: progress)
    }

    private mutating func appendThroughMemory(
        contentsOf source: borrowing OpenFile, progress: (Int64) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = try unsafe source.read(into: buffer)
            if count == 0 { return }
            try unsafe write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            try progress(Int64(count))
        }
    }

    /// Lends the descriptor for a call that is not here. It must not be kept or closed.
    package borrowing func withDescriptor<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
        try body(descriptor.rawValue)
    }

    static func attempt(
        _ verb: String, _ path: FilePath, _ body: () throws -> Void
    ) throws(FileError) {
        do {
            try body()
        } catch {
            throw FileError(cannot: verb, path, error as? Errno ?? .ioError)
        }
    }
}

extension FileAttributes {
    /// What the system says of what is open under a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: is closed with the file.
    ///   - path: what a failure calls it.
    /// - Throws: ``FileError``.
    package init(descriptor: FileDescriptor, path: FilePath) throws(FileError) {
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
            throw FileError(cannot: "access", path, .current)
        }
        self.init(status)
    }
}
