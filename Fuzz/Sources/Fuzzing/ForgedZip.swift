/// A zip archive taken apart, to be changed and put together again with right offsets, sizes and checksums: a plain
/// mutation hardly ever gets past those.
public struct ForgedZip {
    struct Entry {
        var name: [UInt8] = []
        var madeBy = 0x031e
        var needed = 20
        var flags = 0
        var method = 0
        var time = 0x5a21_0000
        var data: [UInt8] = []
        var size = 0
        var checksum: UInt32 = 0
        var localExtra: [UInt8] = []
        var centralExtra: [UInt8] = []
        var comment: [UInt8] = []
        var attributes = 0x8180_0000
        var isZip64 = false
        /// With a descriptor: whether that has its signature, and sizes of 8 bytes.
        var hasSignature = true
        var hasWideDescriptor = false
        /// Bytes before it that belong to nobody.
        var gap: [UInt8] = []

        var hasDescriptor: Bool {
            get { flags & 8 != 0 }
            set { flags = newValue ? flags | 8 : flags & ~8 }
        }

        /// Sizes and checksum follow the data, where these can be unpacked.
        mutating func settle() {
            if method == 0 {
                (size, checksum) = (data.count, Deflate.checksum(data))
            } else if method == 8, let content = Deflate.unpack(data, most: 1 << 20, isExact: false) {
                (size, checksum) = (content.count, Deflate.checksum(content))
            }
        }

        /// What it unpacks to.
        var content: [UInt8]? { method == 0 ? data : Deflate.unpack(data, most: 1 << 20, isExact: false) }
    }

    var entries: [Entry] = []
    var comment: [UInt8] = []
    var hasZip64End = false
    /// Another order of the directory than that of the data.
    var isReversed = false

    static let mostEntries = 64
    private static let endLength = 22

    /// Takes an archive apart as far as it can be followed; nil where there is no end record or no entry.
    public init?(_ bytes: [UInt8]) {
        guard
            let end = stride(from: bytes.count - Self.endLength, through: 0, by: -1).first(where: {
                bytes.number($0, width: 4) == 0x0605_4b50
            }), let size = bytes.number(end + 12, width: 4), let offset = bytes.number(end + 16, width: 4)
        else { return nil }
        comment = bytes.part(end + Self.endLength, 0xffff)
        hasZip64End = bytes.number(end - 20, width: 4) == 0x0706_4b50
        var position = bytes.number(offset, width: 4) == 0x0201_4b50 ? offset : end - size
        while entries.count < Self.mostEntries, let entry = Self.entry(bytes, &position) {
            entries.append(entry)
        }
        guard !entries.isEmpty else { return nil }
    }

    private static func entry(_ bytes: [UInt8], _ position: inout Int) -> Entry? {
        let start = position
        func field(_ offset: Int, _ width: Int) -> Int { bytes.number(start + offset, width: width) ?? 0 }
        guard bytes.number(start, width: 4) == 0x0201_4b50, start + 46 <= bytes.count else { return nil }
        var entry = Entry()
        (entry.madeBy, entry.needed, entry.flags) = (field(4, 2), field(6, 2), field(8, 2))
        (entry.method, entry.time) = (field(10, 2), field(12, 4))
        entry.checksum = UInt32(truncatingIfNeeded: field(16, 4))
        entry.size = field(24, 4)
        entry.attributes = field(38, 4)
        let (nameLength, extraLength, commentLength) = (field(28, 2), field(30, 2), field(32, 2))
        entry.name = bytes.part(start + 46, nameLength)
        entry.centralExtra = withoutZip64(bytes.part(start + 46 + nameLength, extraLength))
        entry.comment = bytes.part(start + 46 + nameLength + extraLength, commentLength)
        entry.isZip64 = field(20, 4) == 0xffff_ffff
        position = start + 46 + nameLength + extraLength + commentLength
        let local = field(42, 4)
        let localName = bytes.number(local + 26, width: 2) ?? 0
        let localExtra = bytes.number(local + 28, width: 2) ?? 0
        entry.localExtra = withoutZip64(bytes.part(local + 30 + localName, localExtra))
        let packed = entry.isZip64 ? entry.size : field(20, 4)
        entry.data = bytes.part(local + 30 + localName + localExtra, packed)
        let descriptor = local + 30 + localName + localExtra + entry.data.count
        entry.hasSignature = bytes.number(descriptor, width: 4) == 0x0807_4b50
        entry.settle()
        return entry
    }

    /// That field is made anew.
    private static func withoutZip64(_ extra: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var position = 0
        while let id = extra.number(position, width: 2), let length = extra.number(position + 2, width: 2) {
            if id != 1 { kept += extra.part(position, 4 + length) }
            position += 4 + length
        }
        return kept + extra.part(position, extra.count)
    }
}
