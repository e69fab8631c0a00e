import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Where the central directory is: the end record, and its Zip64 form where that is used.
struct ZipDirectoryRecord {
    let offset: Int64
    let size: Int64
    let entries: Int
    /// Bytes behind the directory that nothing needs: the comment, and what a Zip64 record may hold beside its fields.
    let unused: [Range<Int64>]

    private static let endSignature: [UInt8] = [0x50, 0x4b, 5, 6]
    private static let endLength = 22
    private static let locatorLength = 20
    private static let zip64Length = 56

    init(_ file: borrowing OpenFile, size fileSize: Int64) throws {
        guard fileSize > 0 else { throw ZipError.damaged(.emptyFile, "the file is empty") }
        let tailLength = Int(min(fileSize, Int64(Self.endLength + 0xffff)))
        let tail = try file.bytes(at: fileSize - Int64(tailLength), count: tailLength)
        let position = try Self.findEnd(in: tail, file)
        let endOffset = fileSize - Int64(tailLength - position)

        var reader = ByteReader(tail[(position + 4)...])
        let disk = try reader.littleEndian(UInt16.self)
        let directoryDisk = try reader.littleEndian(UInt16.self)
        let entriesHere = try reader.littleEndian(UInt16.self)
        let entriesAll = try reader.littleEndian(UInt16.self)
        let size32 = try reader.littleEndian(UInt32.self)
        let offset32 = try reader.littleEndian(UInt32.self)

        var record = (
            entries: UInt64(entriesAll), size: UInt64(size32), offset: UInt64(offset32), end: endOffset
        )
        var unused = [endOffset + Int64(Self.endLength)..<fileSize]
        if let zip64 = try Self.readZip64(file, before: endOffset) {
            try Self.compare(record, zip64)
            record = zip64
            unused.append(zip64.end + Int64(Self.zip64Length)..<endOffset - Int64(Self.locatorLength))
        } else {
            guard disk == 0, directoryDisk == 0, entriesHere == entriesAll else {
                throw ZipError.unsupported(.severalDisks, "part of a multi-part archive")
            }
        }
        try self.init(checking: record, unused)
    }

    /// A 32-bit field either says the same or gives way with all its bits set.
    private static func compare(
        _ short: (entries: UInt64, size: UInt64, offset: UInt64, end: Int64),
        _ long: (entries: UInt64, size: UInt64, offset: UInt64, end: Int64)
    ) throws(ZipError) {
        guard short.entries == long.entries || short.entries == 0xffff,
            short.size == long.size || short.size == 0xffff_ffff,
            short.offset == long.offset || short.offset == 0xffff_ffff
        else { throw .damaged(.zip64, "the two end records contradict each other") }
    }

    private init(
        checking record: (entries: UInt64, size: UInt64, offset: UInt64, end: Int64),
        _ unused: [Range<Int64>]
    ) throws(ZipError) {
        guard let offset = Int64(exactly: record.offset), let size = Int64(exactly: record.size),
            let entries = Int(exactly: record.entries), offset <= record.end, size <= record.end
        else { throw .damaged(.directoryDamaged, "the central directory is outside the file") }
        guard offset + size <= record.end else {
            throw .damaged(.directoryOverlap, "the central directory overlaps the end record")
        }
        guard offset + size == record.end else {
            throw .damaged(
                .prefixBytes,
                "\(Count.text(record.end - offset - size, "byte")) do not belong to the "
                    + "archive: it was cut or joined"
            )
        }
        guard Int64(entries) <= size / 46 else {
            throw .damaged(
                .entryCount,
                "declares \(Count.text(entries, "entry")), more than its central directory can hold")
        }
        self.offset = offset
        self.size = size
        self.entries = entries
        self.unused = unused
    }

    private static func findEnd(in tail: [UInt8], _ file: borrowing OpenFile) throws -> Int {
        var sawRecord = false
        for start in stride(from: tail.count - endLength, through: 0, by: -1)
        where tail[start..<start + 4].elementsEqual(endSignature) {
            let hasLater = sawRecord
            sawRecord = true
            let comment = Int(tail[start + 20]) | Int(tail[start + 21]) << 8
            guard start + endLength + comment == tail.count else { continue }
            // Readers that do not count the comment's bytes, libarchive among them, take the later one.
            guard !hasLater else { break }
            return start
        }
        if sawRecord {
            throw ZipError.damaged(
                .trailingBytes, "extra bytes after the end of the archive, or a truncated comment")
        }
        let head = try file.bytes(at: 0, count: 4)
        if head == [0x50, 0x4b, 3, 4] {
            throw ZipError.damaged(
                .endRecordMissing, "truncated archive: it was not copied or downloaded completely")
        }
        if head == [0x50, 0x4b, 7, 8] {
            throw ZipError.unsupported(.severalDisks, "first part of a multi-part archive")
        }
        throw ZipError(
            .damaged, .notAZip, "not an archive that can be read", remedy: .useKnownArchive)
    }

    private static func readZip64(
        _ file: borrowing OpenFile, before endOffset: Int64
    ) throws -> (entries: UInt64, size: UInt64, offset: UInt64, end: Int64)? {
        guard endOffset >= Int64(locatorLength) else { return nil }
        var locator = ByteReader(
            try file.bytes(at: endOffset - Int64(locatorLength), count: locatorLength))
        guard try locator.littleEndian(UInt32.self) == 0x0706_4b50 else { return nil }
        let disk = try locator.littleEndian(UInt32.self)
        let recordOffset = try locator.littleEndian(UInt64.self)
        let disks = try locator.littleEndian(UInt32.self)
        guard disk == 0, disks <= 1 else {
            throw ZipError.unsupported(.severalDisks, "part of a multi-part archive")
        }
        guard let offset = Int64(exactly: recordOffset),
            offset <= endOffset - Int64(locatorLength + zip64Length)
        else { throw ZipError.damaged(.zip64, "the Zip64 end record is outside the file") }

        var record = ByteReader(try file.bytes(at: offset, count: zip64Length))
        guard try record.littleEndian(UInt32.self) == 0x0606_4b50 else {
            throw ZipError.damaged(.zip64, "the Zip64 end record is missing")
        }
        let length = try record.littleEndian(UInt64.self)
        guard length == UInt64(endOffset - Int64(locatorLength) - offset - 12) else {
            throw ZipError.damaged(.zip64, "the Zip64 end record has a wrong length")
        }
        try record.skip(4)
        let disksHere = try (record.littleEndian(UInt32.self), record.littleEndian(UInt32.self))
        let entriesHere = try record.littleEndian(UInt64.self)
        let entries = try record.littleEndian(UInt64.self)
        guard disksHere == (0, 0), entries == entriesHere else {
            throw ZipError.unsupported(.severalDisks, "part of a multi-part archive")
        }
        return (
            entries, try record.littleEndian(UInt64.self), try record.littleEndian(UInt64.self), offset
        )
    }
}
