import CArchive
import CPlatform
import Failures
public import Files

/// Unpacks the entries of a zip file whose structure a ``ZipIndex`` has checked.
public final class ZipExtractor {
    private let input: ArchiveInput
    private var handle: OpaquePointer?
    private var patience: Int

    /// - Parameters:
    ///   - file: the archive; the extractor owns it from here on.
    ///   - patience: how many headers are passed over again, all in all, to read on behind damaged entries.
    public init(_ file: consuming OpenFile, patience: Int = 20_000_000) {
        self.patience = patience
        input = ArchiveInput(file)
    }

    deinit { closeHandle() }

    private func closeHandle() {
        if let handle { archive_read_free(handle) }
        handle = nil
    }

    /// What happened to one entry.
    public enum Outcome {
        /// All bytes came, and the checksum is right.
        case whole
        /// The entry's data are wrong; what came of them must not be used.
        case damaged(ZipError)
    }

    /// Unpacks the wanted entries in the order of the file.
    ///
    /// - Parameters:
    ///   - index: the checked structure.
    ///   - begin: called for each entry that is a file; false passes over it.
    ///   - consume: gets the entry's bytes in pieces; throw to stop everything.
    ///   - end: called once for each entry that was begun.
    /// - Throws: ``ZipError`` when the archive cannot be read on; whatever the closures throw. A damaged
    ///   entry is no such failure: it is told to `end`, and the next entries follow.
    public func extract(
        _ index: ZipIndex,
        begin: (ZipEntry) throws -> Bool,
        consume: (UnsafeRawBufferPointer) throws -> Void,
        end: (ZipEntry, Outcome) throws -> Void
    ) throws {
        let former = valise_locale_enter_utf8()
        defer { valise_locale_leave(former) }
        var pending: [String: Int] = [:]
        for (position, entry) in index.entries.enumerated() where !entry.isFolder {
            pending[entry.name] = position
        }
        // A fatal error ends libarchive's reading. The structure is sound, so it starts again behind it.
        while !pending.isEmpty {
            let before = pending.count
            let finished = try pass(index, &pending, begin, consume, end)
            if finished { break }
            // Each start passes over all entries: an archive full of damage would take days.
            patience -= index.entries.count
            guard pending.count < before, patience > 0 else {
                throw ZipError.damaged(.data, "the archive cannot be read on: \(message())")
            }
        }
        if let lost = pending.keys.min() {
            throw ZipError.damaged(.data, "the entry was not found again", entry: lost)
        }
    }

    private func pass(
        _ index: ZipIndex, _ pending: inout [String: Int],
        _ begin: (ZipEntry) throws -> Bool,
        _ consume: (UnsafeRawBufferPointer) throws -> Void,
        _ end: (ZipEntry, Outcome) throws -> Void
    ) throws -> Bool {
        try open()
        var header: OpaquePointer?
        while true {
            switch archive_read_next_header(handle, &header) {
            case ARCHIVE_EOF: return true
            case ARCHIVE_OK, ARCHIVE_WARN: break
            default:
                try rethrowInputFailure()
                return false
            }
            guard let position = take(header, from: &pending) else { continue }
            let entry = index.entries[position]
            guard try begin(entry) else { continue }
            let (outcome, fatal) = try readData(of: entry, consume)
            try end(entry, outcome)
            if fatal { return false }
        }
    }

    private func take(_ header: OpaquePointer?, from pending: inout [String: Int]) -> Int? {
        guard let header, let text = archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header)
        else { return nil }
        return pending.removeValue(forKey: String(cString: text))
    }

    private func readData(
        of entry: ZipEntry, _ consume: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (Outcome, fatal: Bool) {
        var count: Int64 = 0
        while true {
            var start: UnsafeRawPointer?
            var length = 0
            var offset: Int64 = 0
            let result = archive_read_data_block(handle, &start, &length, &offset)
            if result == ARCHIVE_EOF { break }
            guard result == ARCHIVE_OK else {
                try rethrowInputFailure()
                // libarchive has one code for all of these.
                let text = message()
                let defect: ZipError.Defect =
                    text.contains("CRC") ? .checksum : text.contains("wrong size") ? .sizeMismatch : .data
                let error = ZipError.damaged(
                    defect, "its data are damaged: \(message())", entry: entry.name)
                return (.damaged(error), result == ARCHIVE_FATAL)
            }
            count += Int64(length)
            guard count <= entry.size else {
                let error = ZipError.damaged(
                    .sizeMismatch, "it unpacks to more than the \(entry.size) bytes it claims",
                    entry: entry.name)
                return (.damaged(error), false)
            }
            try consume(UnsafeRawBufferPointer(start: start, count: length))
        }
        guard count == entry.size else {
            let error = ZipError.damaged(
                .sizeMismatch, "it unpacks to \(count) bytes but claims \(entry.size)", entry: entry.name)
            return (.damaged(error), false)
        }
        return (.whole, false)
    }

    private func open() throws {
        closeHandle()
        try input.rewind()
        guard let handle = archive_read_new() else {
            throw ZipError(.failed, .output, "libarchive cannot be started")
        }
        self.handle = handle
        archive_read_support_format_zip_seekable(handle)
        let context = Unmanaged.passUnretained(input).toOpaque()
        archive_read_set_read_callback(handle) { _, context, buffer in
            ArchiveInput.from(context).read(buffer)
        }
        archive_read_set_seek_callback(handle) { _, context, offset, origin in
            ArchiveInput.from(context).seek(offset, origin)
        }
        archive_read_set_skip_callback(handle) { _, context, count in
            ArchiveInput.from(context).skip(count)
        }
        archive_read_set_callback_data(handle, context)
        guard archive_read_open1(handle) == ARCHIVE_OK else {
            try rethrowInputFailure()
            throw ZipError.damaged(.data, "the archive cannot be read: \(message())")
        }
    }

    private func message() -> String {
        guard let handle, let text = archive_error_string(handle) else { return "no reason given" }
        return String(cString: text).escaped
    }

    private func rethrowInputFailure() throws {
        if let failure = input.failure { throw failure }
    }
}

/// What libarchive's callbacks read from.
private final class ArchiveInput {
    private let file: OpenFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 << 10, alignment: 4096)
    private var position: Int64 = 0
    private(set) var failure: FileError?

    init(_ file: consuming OpenFile) {
        self.file = file
    }

    deinit { buffer.deallocate() }

    static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveInput {
        Unmanaged<ArchiveInput>.fromOpaque(context!).takeUnretainedValue()
    }

    func rewind() throws {
        failure = nil
        position = 0
    }

    func read(_ pointer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        do throws(FileError) {
            let count = try file.read(into: buffer, at: position)
            position += Int64(count)
            pointer?.pointee = UnsafeRawPointer(buffer.baseAddress)
            return count
        } catch {
            failure = error
            return -1
        }
    }

    func skip(_ count: Int64) -> Int64 {
        position += count
        return count
    }

    func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        do throws(FileError) {
            switch origin {
            case 0: position = offset
            case 1: position += offset
            default: position = try file.size() + offset
            }
            return position
        } catch {
            failure = error
            return -30
        }
    }
}
