import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// The entries of an untrusted zip file, after its structure was checked from end to end.
///
/// Readers forgive what an attacker needs, each in its own way: entries that overlap, local headers that
/// contradict the central directory, twins, names that lead elsewhere. So the structure is read here first
/// (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4), and nothing is unpacked unless all of it holds.
package struct ZipIndex: Sendable {
    /// In the order of the central directory.
    package let entries: [ZipEntry]
    /// The unpacked bytes of all entries.
    package let totalSize: Int64
    /// The bytes of the archive itself.
    package let archiveSize: Int64
    /// How many components of names were compared: no more than some times those that there are.
    package let nameWork: Int
    /// What lies in the bytes and is in none of the entries: the first thousand. The archive may mean something else to
    /// another reader then.
    package let hidden: [ZipHiddenRecord]
    /// Names of the entries whose two headers have different flags, of those that change nothing for any reader.
    package let flagDifferences: [String]

    /// Reads and checks the structure: the end records, the central directory, each local header.
    ///
    /// - Parameters:
    ///   - file: the archive.
    ///   - limits: how much the archive may claim.
    /// - Throws: ``ZipError`` with the defect; `FileError` when the file cannot be read.
    package init(_ file: borrowing OpenFile, limits: ZipLimits = ZipLimits()) throws {
        do {
            try self.init(reading: file, limits)
        } catch let error as ZipError {
            throw error.naming(archive: file.path.string)
        }
    }

    private init(reading file: borrowing OpenFile, _ limits: ZipLimits) throws {
        archiveSize = try file.size()
        let directory = try ZipDirectoryRecord(file, size: archiveSize)
        guard directory.entries <= limits.entries else {
            throw ZipError.unsupported(
                .tooManyEntries,
                "the archive has \(Count.text(directory.entries, "entry")); the limit is \(limits.entries)")
        }
        entries = try Self.readEntries(file, directory)
        totalSize = try Self.checkSizes(entries, limits)
        nameWork = try ZipNameCheck.check(entries)
        var check = ZipLocalCheck(end: directory.offset)
        try check.run(entries, file)
        for range in directory.unused { try check.hidden.look(into: range, file) }
        hidden = check.hidden.found
        flagDifferences = check.flagDifferences
    }

    /// The entry of this path, or nil.
    package func entry(named name: String) -> ZipEntry? {
        entries.first { $0.name == name && !$0.isFolder }
    }

    private static func readEntries(
        _ file: borrowing OpenFile, _ directory: ZipDirectoryRecord
    ) throws -> [ZipEntry] {
        // Read by pieces: the directory of many entries with long names is larger than our memory should be.
        var entries: [ZipEntry] = []
        entries.reserveCapacity(directory.entries)
        var window = ZipWindow(start: directory.offset, end: directory.offset + directory.size)
        for _ in 0..<directory.entries {
            entries.append(try ZipCentralHeader.read(&window, file))
        }
        guard window.remaining == 0 else {
            throw ZipError.damaged(
                .entryCount,
                "the central directory has more than the declared \(Count.text(directory.entries, "entry"))")
        }
        return entries
    }

    private static func checkSizes(_ entries: [ZipEntry], _ limits: ZipLimits) throws(ZipError) -> Int64 {
        var total: Int64 = 0
        for entry in entries {
            let (sum, overflow) = total.addingReportingOverflow(entry.size)
            guard !overflow, sum <= limits.totalSize else {
                let isLimited = limits.totalSize != .max
                throw ZipError(
                    isLimited ? .noSpace : .damaged, .totalSize,
                    "the entries expand to more than the allowed \(Count.bytes(limits.totalSize))",
                    entry: entry.name, remedy: isLimited ? .raiseSizeLimit : nil)
            }
            total = sum
            guard !limits.isExceeded(by: entry.size, compressedSize: entry.compressedSize) else {
                throw .unsupported(
                    .ratio,
                    "would expand more than \(limits.ratio) times, like a zip bomb",
                    entry: entry.name, remedy: .raiseGrowthLimit)
            }
            if entry.method == .stored, entry.size != entry.compressedSize {
                throw .damaged(
                    .sizeMismatch, "stored uncompressed, but with two different sizes", entry: entry.name)
            }
        }
        return total
    }
}

/// A stretch of the file that is read forward through a buffer of bounded size.
struct ZipWindow {
    private var buffer: ArraySlice<UInt8> = []
    private var offset: Int64
    private let end: Int64
    private static let step = 256 << 10

    init(start: Int64, end: Int64) {
        offset = start
        self.end = end
    }

    var remaining: Int64 { end - offset + Int64(buffer.count) }

    mutating func take(_ count: Int, _ file: borrowing OpenFile) throws -> ArraySlice<UInt8> {
        guard Int64(count) <= remaining else {
            throw ZipError.damaged(.directoryDamaged, "the central directory ends inside an entry")
        }
        if buffer.count < count {
            let wanted = Int(min(Int64(max(Self.step, count)), end - offset))
            let more = try file.bytes(at: offset, count: wanted)
            guard more.count == wanted else {
                throw ZipError.damaged(.truncated, "the file shrank while being read")
            }
            offset += Int64(wanted)
            buffer = (Array(buffer) + more)[...]
        }
        defer { buffer = buffer.dropFirst(count) }
        return buffer.prefix(count)
    }
}
