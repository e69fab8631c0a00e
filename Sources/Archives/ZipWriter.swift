import CArchive
import CPlatform
import Failures
public import Files

/// Writes a zip file front to back through libarchive, Zip64 where sizes ask for it.
public final class ZipWriter {
    private let output: ArchiveOutput
    private let handle: OpaquePointer
    private let level: Int
    private var isFinished = false

    /// - Parameters:
    ///   - file: where the archive goes; the writer owns it from here on.
    ///   - level: of Deflate, 1 to 9.
    /// - Throws: ``ZipError`` when libarchive cannot be started.
    public init(_ file: consuming OpenFile, level: Int = 6) throws {
        guard let handle = archive_write_new() else {
            throw ZipError(.failed, .output, "libarchive cannot be started")
        }
        self.handle = handle
        self.level = level
        output = ArchiveOutput(file)
        try start()
    }

    deinit {
        if !isFinished { archive_write_fail(handle) }
        archive_write_free(handle)
    }

    private func start() throws {
        try withLocale {
            try check(archive_write_set_format_zip(handle))
            try check(archive_write_set_format_option(handle, "zip", "compression-level", String(level)))
            archive_write_set_bytes_per_block(handle, 1 << 20)
            archive_write_set_bytes_in_last_block(handle, 1)
            let context = Unmanaged.passUnretained(output).toOpaque()
            try check(
                archive_write_open(
                    handle, context, nil,
                    { _, context, bytes, count in
                        ArchiveOutput.from(context).write(UnsafeRawBufferPointer(start: bytes, count: count))
                    }, nil))
        }
    }

    /// Adds one file.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, valid by ``ZipName``.
    ///   - size: how many bytes will come.
    ///   - modificationTime: seconds since 1970.
    ///   - method: how they are packed.
    ///   - next: fills the buffer and returns how much; 0 at the end. Bytes past `size` are not asked for.
    ///   - afterEach: called when a piece was written; throw to stop everything.
    /// - Returns: the bytes that came; fewer than `size` when the source shrank.
    /// - Throws: ``ZipError`` for the archive; whatever `next` throws.
    @discardableResult
    public func add(
        _ name: String, size: Int64, modificationTime: Int64, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void = {}
    ) throws -> Int64 {
        try withLocale {
            try begin(name, size: size, modificationTime: modificationTime, method: method)
            var written: Int64 = 0
            while written < size {
                let room = Int(min(Int64(output.buffer.count), size - written))
                let count = try next(UnsafeMutableRawBufferPointer(rebasing: output.buffer[..<room]))
                if count == 0 { break }
                try writeData(UnsafeRawBufferPointer(rebasing: output.buffer[..<count]))
                written += Int64(count)
                try afterEach()
            }
            try check(archive_write_finish_entry(handle))
            return written
        }
    }

    private func begin(_ name: String, size: Int64, modificationTime: Int64, method: ZipMethod) throws {
        switch method {
        case .stored: try check(archive_write_zip_set_compression_store(handle))
        case .deflated: try check(archive_write_zip_set_compression_deflate(handle))
        }
        let entry = archive_entry_new2(handle)
        defer { archive_entry_free(entry) }
        // Not through the UTF-8 setter: on its way out libarchive brings that to normal form C, and a message
        // that names the file in another form would not find it again.
        archive_entry_set_pathname(entry, name)
        // 0100000 is a regular file in every zip's Unix attributes.
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_size(entry, size)
        archive_entry_set_mtime(entry, time_t(modificationTime), 0)
        try check(archive_write_header(handle, entry))
    }

    private func writeData(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = archive_write_data(handle, rest.baseAddress, rest.count)
            guard count > 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes the central directory and makes the file durable.
    /// - Returns: the archive's size in bytes.
    /// - Throws: ``ZipError``.
    public func finish() throws -> Int64 {
        try withLocale { try check(archive_write_close(handle)) }
        isFinished = true
        return try output.writer.finish()
    }

    private func withLocale<Result>(_ body: () throws -> Result) rethrows -> Result {
        let former = valise_locale_enter_utf8()
        defer { valise_locale_leave(former) }
        return try body()
    }

    /// Every status but success is a failure: a warning here means that a name or a size was not kept.
    private func check(_ result: Int32) throws {
        guard result == ARCHIVE_OK else { throw failure() }
    }

    private func failure() -> any Error {
        if let failure = output.writer.failure { return failure }
        let text = archive_error_string(handle).map { String(cString: $0) } ?? "no reason given"
        return ZipError(.failed, .output, "the archive cannot be written: \(text)")
    }
}

/// What libarchive's callbacks write to, and the buffer that files are read through.
private final class ArchiveOutput {
    let writer: BackgroundWriter
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)

    init(_ file: consuming OpenFile) {
        writer = BackgroundWriter(file)
    }

    deinit { buffer.deallocate() }

    static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveOutput {
        Unmanaged<ArchiveOutput>.fromOpaque(context!).takeUnretainedValue()
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        do throws(FileError) {
            try writer.write(bytes)
            return bytes.count
        } catch {
            // libarchive only learns that it failed; the reason is kept by the writer.
            return -1
        }
    }
}
