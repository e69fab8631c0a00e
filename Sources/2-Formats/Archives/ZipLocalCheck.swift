import ValiseEncoding
import ValiseFiles

/// Each local header says what the central directory says, and no two entries share bytes.
///
/// What lies between them is looked through on the way.
struct ZipLocalCheck {
    /// Where the central directory begins.
    private let end: Int64
    /// What lies in bytes of no entry.
    var hidden = ZipHiddenSearch()
    /// Names of the entries whose flags differ where that changes nothing.
    private(set) var flagDifferences: [String] = []

    private static let fixedLength = 30

    /// Bits 1 and 2 tell how hard a packer tried. Bit 11 says that the name is UTF-8, which is nothing to say of ASCII; of
    /// other names it makes two for a reader that takes them for code page 437 without it.
    private static let harmlessFlags: (ascii: UInt16, others: UInt16) = (0x0806, 0x0006)

    init(end: Int64) {
        self.end = end
    }

    mutating func run(_ entries: [ZipEntry], _ file: borrowing OpenFile) throws {
        var freeFrom: Int64 = 0
        for entry in entries.sorted(by: { $0.localOffset < $1.localOffset }) {
            guard entry.localOffset >= freeFrom else {
                throw ZipError.damaged(.overlap, "overlaps another entry", entry: entry.name)
            }
            try hidden.look(into: freeFrom..<entry.localOffset, file)
            let length = try checkHeader(of: entry, file)
            let (dataEnd, overflow) = (entry.localOffset + length).addingReportingOverflow(
                entry.compressedSize)
            guard !overflow, dataEnd <= end else {
                throw ZipError.damaged(
                    .localOutside, "its data overlaps the central directory", entry: entry.name)
            }
            freeFrom = dataEnd + (try Self.descriptorLength(of: entry, at: dataEnd, file, end: end))
        }
        if freeFrom < end { try hidden.look(into: freeFrom..<end, file) }
    }

    private mutating func checkHeader(of entry: ZipEntry, _ file: borrowing OpenFile) throws -> Int64 {
        let fixedLength = Self.fixedLength
        guard entry.localOffset <= end - Int64(fixedLength) else {
            throw ZipError.damaged(.localOutside, "starts outside the file", entry: entry.name)
        }
        // One read for header, name and the usual extra fields.
        let rawName = entry.rawName
        let guess = fixedLength + rawName.count + 64
        let bytes = try file.bytes(at: entry.localOffset, count: guess)
        guard bytes.count >= fixedLength else {
            throw ZipError.damaged(.truncated, "the archive ends inside this entry", entry: entry.name)
        }
        var header = ByteReader(bytes)
        guard try header.littleEndian(UInt32.self) == 0x0403_4b50 else {
            throw ZipError.damaged(.localMissing, "no entry at its offset", entry: entry.name)
        }
        try header.skip(2)
        let flags = try header.littleEndian(UInt16.self)
        let method = try header.littleEndian(UInt16.self)
        try header.skip(4)
        let checksum = try header.littleEndian(UInt32.self)
        let compressed = try header.littleEndian(UInt32.self)
        let uncompressed = try header.littleEndian(UInt32.self)
        let nameLength = Int(try header.littleEndian(UInt16.self))
        let extraLength = Int(try header.littleEndian(UInt16.self))

        guard nameLength == rawName.count, try header.take(nameLength).elementsEqual(rawName)
        else {
            throw ZipError.damaged(
                .localName, "its two headers have different names", entry: entry.name)
        }
        guard method == entry.method.rawValue else {
            throw ZipError.damaged(
                .localMethod, "its two headers have different compression methods", entry: entry.name)
        }
        let harmless =
            rawName.allSatisfy { $0 < 128 } ? Self.harmlessFlags.ascii : Self.harmlessFlags.others
        guard (flags ^ entry.flags) & ~harmless == 0 else {
            throw ZipError.damaged(.localFlags, "its two headers have different flags", entry: entry.name)
        }
        if flags != entry.flags { flagDifferences.append(entry.name) }
        let extraOffset = entry.localOffset + Int64(fixedLength + nameLength)
        let extra = try file.bytes(at: extraOffset, count: extraLength)
        guard extra.count == extraLength else {
            throw ZipError.damaged(.truncated, "the archive ends inside this entry", entry: entry.name)
        }
        let fields = try ZipExtraFields(extra[...], entry: entry.name)
        try fields.checkUnicodeName(against: rawName, entry: entry.name)
        let sizes = try fields.sizes(
            uncompressed: uncompressed, compressed: compressed, offset: nil, entry: entry.name)
        try Self.compare(entry, checksum: checksum, sizes: (sizes.uncompressed, sizes.compressed))
        return Int64(fixedLength + nameLength + extraLength)
    }

    /// The descriptor behind the data must say what the directory says: some readers, libarchive among
    /// them, go by it.
    ///
    /// Its signature is optional, and its sizes have 4 or 8 bytes.
    private static func descriptorLength(
        of entry: ZipEntry, at offset: Int64, _ file: borrowing OpenFile, end: Int64
    ) throws -> Int64 {
        guard entry.hasDescriptor else { return 0 }
        let found = try file.bytes(at: offset, count: Int(min(24, end - offset)))
        for signature in [[0x50, 0x4b, 7, 8], []] as [[UInt8]] {
            for width in [4, 8] {
                let expected =
                    signature + littleEndian(UInt64(entry.checksum), 4)
                    + littleEndian(UInt64(entry.compressedSize), width)
                    + littleEndian(UInt64(entry.size), width)
                if found.starts(with: expected) { return Int64(expected.count) }
            }
        }
        throw ZipError.damaged(
            .localSizes, "the data descriptor has different sizes or checksums", entry: entry.name)
    }

    private static func littleEndian(_ value: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    private static func compare(
        _ entry: ZipEntry, checksum: UInt32, sizes: (uncompressed: Int64, compressed: Int64)
    ) throws(ZipError) {
        // With a data descriptor behind the data, a writer may leave zeros here: it did not know yet.
        let unknown = entry.hasDescriptor && checksum == 0
        let sizesAgree =
            (sizes.uncompressed == entry.size || entry.hasDescriptor && sizes.uncompressed == 0)
            && (sizes.compressed == entry.compressedSize || entry.hasDescriptor && sizes.compressed == 0)
        guard sizesAgree, checksum == entry.checksum || unknown else {
            throw .damaged(
                .localSizes, "its two headers have different sizes or checksums", entry: entry.name)
        }
    }
}
