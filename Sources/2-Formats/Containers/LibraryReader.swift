import CValiseArchive
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A reader of libarchive. Every status of the library gets its meaning here.
@safe final class LibraryReader {
    private let handle: OpaquePointer
    private let locale: UnsafeMutableRawPointer?
    private let input: any ContainerInput
    /// What it reads, in the words of an error.
    private let content: String
    /// What stopped the input: the library only knows that something did.
    private var failure: (any Error)?
    /// How many bytes the library got, unless it passed over them.
    private var delivered: Int64 = 0
    /// Behind the last byte that is not zero.
    private(set) var contentEnd: Int64 = 0
    /// Whether the library complained of the last header without refusing it.
    private(set) var hasWarned = false

    /// Reads entries.
    convenience init(_ input: any ContainerInput, _ kind: ContainerKind) throws(ContainerError) {
        try unsafe self.init(input, "the archive is", seeks: kind == .sevenZip) { handle in
            if kind == .sevenZip { return unsafe [valise_archive_read_support_format_7zip(handle)] }
            return unsafe [
                valise_archive_read_support_format_tar(handle),
                valise_archive_read_support_format_cpio(handle),
            ]
        }
    }

    /// Unpacks a stream, which is its one entry. Only what is asked for is turned on: the library would start programs for some
    /// kinds.
    convenience init(_ input: any ContainerInput, unpacking kind: ContainerKind) throws(ContainerError) {
        try unsafe self.init(input, "the compressed data is", seeks: false) { handle in
            let filter =
                switch kind {
                case .gzip: unsafe valise_archive_read_support_filter_gzip(handle)
                case .xz: unsafe valise_archive_read_support_filter_xz(handle)
                default: unsafe valise_archive_read_support_filter_zstd(handle)
                }
            return unsafe [filter, valise_archive_read_support_format_raw(handle)]
        }
    }

    private init(
        _ input: any ContainerInput, _ content: String, seeks: Bool,
        _ configure: (OpaquePointer) -> [Int32]
    ) throws(ContainerError) {
        unsafe handle = try unsafe ArchiveLibrary.makeReader()
        unsafe locale = valise_archive_make_locale()
        self.input = input
        self.content = content
        // A kind that needs another program is reported as a warning.
        guard unsafe configure(handle).allSatisfy({ $0 == VALISE_ARCHIVE_OK }) else {
            throw .unsupported(
                .notAnArchive, "this system's libarchive does not support this kind of archive")
        }
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe valise_archive_read_set_callback_data(handle, this)
        unsafe valise_archive_read_set_read_callback(handle, Self.read)
        unsafe valise_archive_read_set_skip_callback(handle, Self.skip)
        if seeks { unsafe valise_archive_read_set_seek_callback(handle, Self.seek) }
    }

    deinit {
        unsafe valise_archive_read_free(handle)
        unsafe valise_archive_free_locale(locale)
    }

    // MARK: What the library asks for

    private static func reader(_ context: UnsafeMutableRawPointer?) -> LibraryReader? {
        unsafe context.map { unsafe Unmanaged<LibraryReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?
        ) -> Int = { _, context, target in
            guard let reader = unsafe reader(context), let target = unsafe target else {
                return Int(VALISE_ARCHIVE_FATAL)
            }
            do {
                let bytes = try unsafe reader.nextPiece()
                unsafe target.pointee = bytes.baseAddress
                return bytes.count
            } catch {
                reader.failure = error
                return Int(VALISE_ARCHIVE_FATAL)
            }
        }

    private static let skip: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int64) -> Int64 = {
        _, context, count in
        unsafe reader(context)?.pass(count) ?? 0
    }

    private static let seek:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
            _, context, offset, origin in
            unsafe reader(context)?.input.seek(offset, from: origin) ?? Int64(VALISE_ARCHIVE_FATAL)
        }

    private func nextPiece() throws -> UnsafeRawBufferPointer {
        let bytes = unsafe try input.next()
        if let last = unsafe bytes.lastIndex(where: { $0 != 0 }) { contentEnd = delivered + Int64(last) + 1 }
        delivered += Int64(bytes.count)
        return unsafe bytes
    }

    private func pass(_ count: Int64) -> Int64 {
        let passed = input.skip(count)
        delivered += passed
        return passed
    }

    // MARK: Reading

    /// Opens the archive when it is called first.
    /// - Returns: nil at the end. The entry is there until the next call.
    /// - Throws: ``ContainerError``; what the input threw.
    func nextHeader() throws -> OpaquePointer? {
        if !isOpen {
            isOpen = true
            guard unsafe valise_archive_read_open1(handle) == VALISE_ARCHIVE_OK else { throw error() }
        }
        var entry: OpaquePointer?
        let status = unsafe valise_archive_next_header_in(handle, &entry, locale)
        hasWarned = status == VALISE_ARCHIVE_WARN
        switch status {
        case VALISE_ARCHIVE_EOF: return nil
        case VALISE_ARCHIVE_OK, VALISE_ARCHIVE_WARN: return unsafe entry
        default: throw error()
        }
    }

    private var isOpen = false

    /// The path of an entry as the archive has it.
    func name(of entry: OpaquePointer) -> [UInt8]? {
        guard let name = unsafe valise_archive_pathname_in(entry, locale) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// - Returns: how many bytes came; 0 at the end of the entry.
    /// - Throws: ``ContainerError``; what the input threw.
    func readData(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = unsafe valise_archive_read_data(handle, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw error() }
        return count
    }

    /// Goes behind the rest of the entry.
    /// - Throws: ``ContainerError``; what the input threw.
    func skipData() throws {
        guard unsafe valise_archive_read_data_skip(handle) == VALISE_ARCHIVE_OK else { throw error() }
    }

    /// Reads what is left behind the last entry.
    /// - Throws: what the input threw.
    func drain() throws {
        while unsafe !(try nextPiece()).isEmpty {}
    }

    /// How many bytes of the input were used.
    var consumed: Int64 { unsafe valise_archive_filter_bytes(handle, 0) }

    /// One more than the number of layers that were unpacked.
    var filterCount: Int32 { unsafe valise_archive_filter_count(handle) }

    /// The kind of the entries, such as `VALISE_ARCHIVE_FORMAT_CPIO`; 0 before the first one.
    var format: Int32 { unsafe valise_archive_format(handle) & VALISE_ARCHIVE_FORMAT_BASE_MASK }

    // MARK: What went wrong

    /// Whether the last error is one of the input, not of what is in it.
    var hasInputFailed: Bool { failure != nil }

    /// The library's own text only tells the kinds of damage apart: nobody could do anything with it.
    private func error() -> any Error {
        if let failure { return failure }
        let text = unsafe valise_archive_error_string(handle).map { unsafe String(cString: $0).lowercased() }
        let isCut = ["truncated", "unexpected end", "incomplete", "no progress"].contains {
            text?.contains($0) ?? false
        }
        if text?.contains("encrypted") == true {
            return ContainerError.encrypted
        }
        return isCut
            ? ContainerError.damaged(.truncated, ContainerError.truncatedArchive)
            : ContainerError.damaged(.data, "\(content) damaged and cannot be read any further")
    }
}
