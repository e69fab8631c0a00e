import CValiseArchive
import ValiseConcurrency
import ValiseFailures

/// Writes a tar from front to back, packed or not: headers of ustar, and of pax where a name or a size asks for one.
///
/// Every entry is a file for its owner alone, without the names and numbers of this machine's users.
@safe package final class TarWriter {
    /// What the stream is packed with.
    package enum Packing: Sendable, Equatable {
        case none
        /// - Parameter level: 1 to 19.
        case zstd(level: Int)
    }

    private let handle: OpaquePointer
    private let locale: UnsafeMutableRawPointer?
    private let next: (UnsafeRawBufferPointer) throws -> Void
    private let buffer = TransferBuffer(byteCount: TarWriter.bufferSize, inLargePages: false)
    /// What stopped the output: the library only knows that something did.
    private var failure: (any Error)?
    private var written: Int64 = 0

    private static let bufferSize = 1 << 20
    /// The library's output comes in pieces of this; at its end in the usual ones of a tar.
    private static let blockSize: Int32 = 256 << 10
    private static let lastBlockSize: Int32 = 10_240

    /// - Parameters:
    ///   - packing: what the stream is packed with.
    ///   - next: takes the next bytes of the archive, on the thread that adds files; throw to stop.
    /// - Throws: ``ContainerError``; what `next` throws.
    package init(_ packing: Packing, into next: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        unsafe handle = try unsafe ArchiveLibrary.makeWriter()
        unsafe self.next = unsafe next
        unsafe locale = valise_archive_make_locale()
        try check(unsafe valise_archive_write_set_format_pax_restricted(handle))
        if case .zstd(let level) = packing {
            try check(unsafe valise_archive_write_add_filter_zstd(handle))
            try check(
                unsafe valise_archive_write_set_filter_option(handle, "zstd", "compression-level", "\(level)")
            )
        }
        try check(unsafe valise_archive_write_set_bytes_per_block(handle, Self.blockSize))
        try check(
            unsafe valise_archive_write_set_bytes_in_last_block(
                handle, packing == .none ? Self.lastBlockSize : 1))
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        try check(unsafe valise_archive_write_open(handle, this, nil, Self.write, nil))
    }

    deinit {
        // Freeing would close it properly, as if all of it were there.
        unsafe valise_archive_write_fail(handle)
        unsafe valise_archive_write_free(handle)
        unsafe valise_archive_free_locale(locale)
    }

    private var memory: UnsafeMutableRawBufferPointer { unsafe buffer.bytes }

    private static let write:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int = {
            _, context, bytes, count in
            guard let context = unsafe context else { return Int(VALISE_ARCHIVE_FATAL) }
            let writer = unsafe Unmanaged<TarWriter>.fromOpaque(context).takeUnretainedValue()
            do {
                try unsafe writer.next(UnsafeRawBufferPointer(start: bytes, count: count))
                writer.written += Int64(count)
                return count
            } catch {
                writer.failure = error
                return Int(VALISE_ARCHIVE_FATAL)
            }
        }

    /// Adds one file. Where fewer bytes come than its header says, zeros follow.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, valid by `ZipName`.
    ///   - size: how many bytes will come.
    ///   - modificationTime: in seconds since 1970.
    ///   - next: fills the buffer and returns how much; 0 at the end. Bytes past `size` are not asked for.
    ///   - afterEach: called when a piece was taken; throw to stop everything.
    /// - Returns: the bytes that came; fewer than `size` when the source shrank.
    /// - Throws: ``ContainerError``; what `init` was given to write with throws; whatever the closures throw.
    @discardableResult
    package func add(
        _ name: String, size: Int64, modificationTime: Int64,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void = {}
    ) throws -> Int64 {
        try writeHeader(name, size, modificationTime)
        var done: Int64 = 0
        while done < size {
            let limit = Int(min(Int64(Self.bufferSize), size - done))
            let count = try unsafe next(UnsafeMutableRawBufferPointer(rebasing: memory[..<limit]))
            if count == 0 { break }
            try writeData(count)
            done += Int64(count)
            try afterEach()
        }
        try check(unsafe valise_archive_write_finish_entry(handle))
        return done
    }

    private func writeHeader(_ name: String, _ size: Int64, _ modificationTime: Int64) throws {
        guard let entry = unsafe valise_archive_entry_new() else {
            throw ContainerError.noMemory
        }
        defer { unsafe valise_archive_entry_free(entry) }
        unsafe valise_archive_entry_set_pathname(entry, name)
        unsafe valise_archive_entry_set_filetype(entry, EntryType.file)
        unsafe valise_archive_entry_set_perm(entry, 0o600)
        unsafe valise_archive_entry_set_size(entry, size)
        unsafe valise_archive_entry_set_mtime(entry, modificationTime, 0)
        try check(unsafe valise_archive_write_header_in(handle, entry, locale), entry: name)
    }

    private func writeData(_ count: Int) throws {
        var taken = 0
        while taken < count {
            let more = unsafe valise_archive_write_data(
                handle, memory.baseAddress?.advanced(by: taken), count - taken)
            guard more > 0 else { throw error(nil) }
            taken += more
        }
    }

    /// Writes the end of the archive.
    /// - Returns: the archive's size in bytes.
    /// - Throws: ``ContainerError``; what `init` was given to write with throws.
    package func finish() throws -> Int64 {
        try check(unsafe valise_archive_write_close(handle))
        return written
    }

    // MARK: What went wrong

    /// A warning is a failure, too: the entry would not be what it is said to be.
    private func check(_ status: Int32, entry: String? = nil) throws {
        guard status == VALISE_ARCHIVE_OK else { throw error(entry) }
    }

    private func error(_ entry: String?) -> any Error {
        if let failure { return failure }
        let text = unsafe valise_archive_error_string(handle).map { unsafe String(cString: $0) }
        return ContainerError(
            .failed, .output, "cannot write the archive: \(text ?? "unknown reason")", entry: entry)
    }
}
