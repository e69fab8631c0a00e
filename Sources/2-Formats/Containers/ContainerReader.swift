import CValiseArchive
import SystemPackage
package import ValiseArchives
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads a tar, cpio or 7z archive once, from front to back. Every entry has passed all checks when it is returned.
///
/// Behind an error that is of one entry (``ContainerError/isOfOneEntry``, or any `ZipError`) the next one can be asked for.
@safe package final class ContainerReader {
    private let kind: ContainerKind
    private let reader: LibraryReader
    private let source: any ByteSource
    private let trustsSizes: Bool
    private var check: ContainerEntryCheck
    private var current: ContainerEntry?
    private var isSparse = false
    /// Whether the content of the current entry is all there was and passed its check.
    private var isProven = false
    /// How many bytes of the current entry were read.
    private var done: Int64 = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - source: the archive.
    ///   - kind: what it is by its first bytes.
    ///   - limits: how far its claims are trusted.
    ///   - trustsSizes: whether the size that an entry declares counts against the limits. If not, the bytes that come do: of
    ///     what is cut, these are less.
    ///   - checkpoint: sees how many bytes of the archive were read; throw to stop.
    /// - Throws: ``ContainerError``.
    package init(
        _ source: any ByteSource, _ kind: ContainerKind, limits: ZipLimits, trustsSizes: Bool = true,
        checkpoint: @escaping (Int64) throws -> Void
    ) throws(ContainerError) {
        self.kind = kind
        self.source = source
        self.trustsSizes = trustsSizes
        check = ContainerEntryCheck(limits, archiveSize: source.size)
        let input: any ContainerInput =
            kind.isPacking
            ? try PackedInput(source, kind, limits, inSmallPieces: !trustsSizes, checkpoint)
            : SourceInput(source, checkpoint)
        reader = try LibraryReader(input, kind)
    }

    /// Where less than was asked for can be read, the library gives nothing of it. So of what is damaged, a page of a database
    /// is asked for at a time.
    static let smallPiece = 4096

    /// Such as `tar.gz`, once the first entry was asked for.
    package var format: String {
        guard kind.isPacking else { return kind.rawValue }
        return "\(reader.format == VALISE_ARCHIVE_FORMAT_CPIO ? "cpio" : "tar").\(kind.suffix)"
    }

    /// With what all entries are packed together, such as `zstd`; nil where they lie as they are.
    package var packing: String? { kind == .tar || kind == .cpio ? nil : kind.rawValue }

    /// The unpacked bytes of all entries so far.
    package var totalSize: Int64 { check.totalSize }

    /// The next entry; what is left of the current one is passed over.
    /// - Returns: nil at the end, where everything behind the last entry was read and is nothing.
    /// - Throws: ``ContainerError`` and `ZipError` for an archive that is refused; errors of the source.
    package func next() throws -> ContainerEntry? {
        do {
            try finishEntry()
            while !isAtEnd {
                let before = reader.consumed
                guard let found = try unsafe header() else {
                    try end(before)
                    break
                }
                if let entry = try unsafe checked(found) { return entry }
                try reader.skipData()
            }
            return nil
        } catch {
            throw named(error)
        }
    }

    /// Reads the content of the current entry.
    /// - Returns: how many bytes came; 0 when all of them did.
    /// - Throws: ``ContainerError`` where fewer come than were declared; errors of the source.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let current, done < current.size else { return 0 }
        let most = trustsSizes ? buffer.count : min(buffer.count, Self.smallPiece)
        let count = Int(min(Int64(most), current.size - done))
        guard count > 0 else { return 0 }
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        do {
            var got = try unsafe reader.readData(into: target)
            if got == 0 {
                // Only the hole at the end of a sparse file is not told of.
                guard isSparse else {
                    throw ContainerError.damaged(
                        .truncated, "has only \(done) of \(Count.text(current.size, "byte"))")
                }
                unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
                got = count
            }
            done += Int64(got)
            if !trustsSizes { try check.add(Int64(got), of: current) }
            return got
        } catch {
            throw named(error)
        }
    }

    /// Compares the current entry, all of which was read, with what the archive says of it.
    /// - Throws: ``ContainerError``; errors of the source.
    package func prove() throws {
        do {
            try proveContent()
        } catch {
            throw named(error)
        }
    }

    // MARK: Entries

    private func header() throws -> OpaquePointer? {
        do {
            return unsafe try reader.nextHeader()
        } catch let error as ContainerError
            where error.defect == .data && check.entries == 0 && reader.format == 0 && !reader.hasInputFailed
        {
            throw ContainerError.unsupported(
                .notAnArchive,
                kind.isPacking
                    ? "this \(kind.rawValue) file contains neither a tar nor a cpio archive"
                    : "not a supported archive")
        }
    }

    private func finishEntry() throws {
        guard current != nil else { return }
        try proveContent()
        try reader.skipData()
        current = nil
    }

    private func proveContent() throws {
        guard let entry = current, !isProven, done > 0, done == entry.size else { return }
        // The checksum of a 7z entry is compared when more is asked for than there is.
        var more: UInt8 = 0
        let count = try unsafe withUnsafeMutableBytes(of: &more) { try unsafe reader.readData(into: $0) }
        guard count == 0 else {
            throw ContainerError.damaged(
                .size, "has more than the declared \(Count.text(entry.size, "byte"))")
        }
        isProven = true
    }

    /// - Returns: nil for the folder that holds everything.
    private func checked(_ found: OpaquePointer) throws -> ContainerEntry? {
        try check.count()
        current = nil
        guard let raw = unsafe reader.name(of: found) else {
            throw ContainerError.unsupported(.nameMissing, "entry without a name")
        }
        let isFolder =
            unsafe valise_archive_entry_filetype(found) == EntryType.folder
            && valise_archive_entry_hardlink(found) == nil
        let path = Self.path(raw, isFolder: isFolder)
        if isFolder, path.isEmpty { return nil }
        let entry = ContainerEntry(
            name: try ZipName.check(path), isFolder: isFolder, size: unsafe valise_archive_entry_size(found),
            modified: unsafe Self.time(found))
        current = entry
        done = 0
        isProven = false
        unsafe isSparse = valise_archive_entry_sparse_count(found) > 0
        try unsafe checkKind(found, entry)
        if reader.hasWarned { throw ContainerError.damaged(.data, "damaged header") }
        try check.check(entry)
        if trustsSizes { try check.add(entry.size, of: entry) }
        return entry
    }

    /// `tar -C FOLDER .` puts `./` before all names.
    private static func path(_ raw: [UInt8], isFolder: Bool) -> [UInt8] {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        var path = raw[...]
        while path.starts(with: [dot, slash]) { path = path.dropFirst(2) }
        if isFolder, path.last == slash { path.removeLast() }
        return isFolder && path.elementsEqual([dot]) ? [] : Array(path)
    }

    /// Archives that are the same wherever they are made have the time zero.
    private static func time(_ found: OpaquePointer) -> Int64? {
        guard unsafe valise_archive_entry_mtime_is_set(found) != 0 else { return nil }
        let seconds = unsafe Int64(valise_archive_entry_mtime(found))
        return seconds == 0 ? nil : seconds
    }

    private func checkKind(_ found: OpaquePointer, _ entry: ContainerEntry) throws(ContainerError) {
        guard unsafe valise_archive_entry_hardlink(found) == nil else {
            throw .unsupported(.hardLink, "hard link")
        }
        switch unsafe valise_archive_entry_filetype(found) {
        case EntryType.file, EntryType.folder: break
        case EntryType.symbolicLink: throw .unsupported(.symbolicLink, "symbolic link")
        default: throw .unsupported(.specialFile, "neither a file nor a folder")
        }
        guard unsafe valise_archive_entry_is_encrypted(found) == 0 else {
            throw .encrypted
        }
        guard unsafe valise_archive_entry_size_is_set(found) != 0, entry.size >= 0 else {
            throw .damaged(.size, "has no valid size")
        }
        guard !entry.isFolder || entry.size == 0 else {
            throw .damaged(.folderWithData, "a folder with content")
        }
    }

    // MARK: The end

    /// - Parameter before: how much of the stream the entries took.
    private func end(_ before: Int64) throws {
        isAtEnd = true
        guard kind != .sevenZip else { return }
        // Without its mark the end may be a cut between two entries.
        guard reader.consumed - before >= 512 || reader.format == VALISE_ARCHIVE_FORMAT_CPIO else {
            throw ContainerError.damaged(
                .truncated, "truncated archive: the end marker is missing")
        }
        let end = reader.consumed
        try reader.drain()
        guard reader.contentEnd <= end else {
            throw ContainerError.unsupported(
                .trailingData, "extra data after the archive, which other programs may read as entries")
        }
    }

    private func named(_ error: any Error) -> any Error {
        switch error {
        case let error as ContainerError: error.naming(archive: source.path, entry: current?.name)
        case let error as ZipError: error.naming(archive: source.path.string)
        default: error
        }
    }
}
