/// A zip file built byte by byte, every field open to lies.
struct ZipForge {
    var prefix: [UInt8] = []
    var entries: [ForgedEntry] = []
    /// Between the last entry and the central directory.
    var gap: [UInt8] = []
    var zip64: ForgedZip64End?
    var end = ForgedEnd()
    var suffix: [UInt8] = []

    init(_ entries: [ForgedEntry]) {
        self.entries = entries
    }

    /// The file. Offsets are true wherever they are not overridden.
    var bytes: [UInt8] {
        var out = prefix
        var central: [UInt8] = []
        for entry in entries {
            let offset = out.count - prefix.count
            out += entry.localBytes
            if entry.isInDirectory { central += entry.centralBytes(at: UInt32(offset)) }
        }
        out += gap
        let offset = UInt64(out.count - prefix.count)
        out += central
        let count = UInt64(entries.count { $0.isInDirectory })
        if let zip64 {
            out += zip64.bytes(
                at: UInt64(out.count), entries: count, size: UInt64(central.count), offset: offset)
        }
        out += end.bytes(entries: UInt16(count), size: UInt32(central.count), offset: UInt32(offset))
        return out + suffix
    }

    /// Where the parts end, for cutting there: each local header, each entry's data, the directory.
    var boundaries: [Int] {
        var positions = [4]
        var offset = prefix.count
        for entry in entries {
            positions += [offset + 30, offset + entry.localBytes.count - entry.packed.count]
            offset += entry.localBytes.count
            positions.append(offset)
        }
        for entry in entries {
            positions.append(offset + 46)
            offset += entry.centralBytes(at: 0).count
            positions.append(offset)
        }
        return positions + [offset + 4, bytes.count - 1]
    }
}

/// The fields that both headers of an entry have.
struct ForgedHeader {
    var signature: UInt32
    var versionNeeded: UInt16 = 20
    var flags: UInt16 = 0x800
    var method: UInt16 = 0
    var checksum: UInt32
    var compressedSize: UInt32
    var size: UInt32
    var name: [UInt8]
    var nameLength: UInt16?
    var extra: [UInt8] = []
    var extraLength: UInt16?

    /// From the version to the lengths; the same order in both headers.
    func common() -> [UInt8] {
        LittleEndian.bytes(versionNeeded) + LittleEndian.bytes(flags) + LittleEndian.bytes(method)
            + LittleEndian.bytes(UInt32(0x5821_0000)) + LittleEndian.bytes(checksum)
            + LittleEndian.bytes(compressedSize) + LittleEndian.bytes(size)
            + LittleEndian.bytes(nameLength ?? UInt16(name.count))
            + LittleEndian.bytes(extraLength ?? UInt16(extra.count))
    }
}

/// One entry: its local header, its data, its header in the central directory.
struct ForgedEntry {
    var local: ForgedHeader
    var central: ForgedHeader
    var packed: [UInt8]
    var descriptor: [UInt8] = []
    var hasLocal = true
    var isInDirectory = true
    var madeBy: UInt16 = 0x031e
    var disk: UInt16 = 0
    var attributes: UInt32 = 0o100600 << 16
    var offset: UInt32?
    var comment: [UInt8] = []
    var commentLength: UInt16?

    /// A stored entry that tells the truth.
    init(_ name: String, _ data: [UInt8] = []) {
        self.init(nameBytes: Array(name.utf8), data)
    }

    init(nameBytes: [UInt8], _ data: [UInt8] = []) {
        local = ForgedHeader(
            signature: 0x0403_4b50, checksum: Checksum.crc32(data), compressedSize: UInt32(data.count),
            size: UInt32(data.count), name: nameBytes)
        central = local
        central.signature = 0x0201_4b50
        packed = data
    }

    /// A deflated entry that tells the truth, in blocks that are not packed.
    static func deflated(_ name: String, _ data: [UInt8]) -> ForgedEntry {
        var entry = ForgedEntry(name, data)
        let packed = Deflate.storedBlocks(data)
        entry.packed = packed
        entry.both {
            $0.method = 8
            $0.compressedSize = UInt32(packed.count)
        }
        return entry
    }

    /// A streamed entry: sizes and checksum follow the data.
    static func streamed(_ name: String, _ data: [UInt8], signed: Bool = true) -> ForgedEntry {
        var entry = deflated(name, data)
        entry.both { $0.flags |= 8 }
        entry.descriptor =
            (signed ? LittleEndian.bytes(UInt32(0x0807_4b50)) : [])
            + LittleEndian.bytes(entry.central.checksum)
            + LittleEndian.bytes(entry.central.compressedSize) + LittleEndian.bytes(entry.central.size)
        entry.local.checksum = 0
        entry.local.compressedSize = 0
        entry.local.size = 0
        return entry
    }

    /// Changes both headers alike.
    mutating func both(_ change: (inout ForgedHeader) -> Void) {
        change(&local)
        change(&central)
    }

    func with(_ change: (inout ForgedEntry) -> Void) -> ForgedEntry {
        var copy = self
        change(&copy)
        return copy
    }

    var localBytes: [UInt8] {
        guard hasLocal else { return [] }
        return LittleEndian.bytes(local.signature) + local.common() + local.name + local.extra + packed
            + descriptor
    }

    func centralBytes(at offset: UInt32) -> [UInt8] {
        LittleEndian.bytes(central.signature) + LittleEndian.bytes(madeBy) + central.common()
            + LittleEndian.bytes(commentLength ?? UInt16(comment.count)) + LittleEndian.bytes(disk)
            + LittleEndian.bytes(UInt16(0)) + LittleEndian.bytes(attributes)
            + LittleEndian.bytes(self.offset ?? offset) + central.name + central.extra + comment
    }
}

/// The record at the end of every zip file.
struct ForgedEnd {
    var isThere = true
    var disk: UInt16 = 0
    var directoryDisk: UInt16 = 0
    var entriesHere: UInt16?
    var entries: UInt16?
    var size: UInt32?
    var offset: UInt32?
    var comment: [UInt8] = []
    var commentLength: UInt16?

    func bytes(entries: UInt16, size: UInt32, offset: UInt32) -> [UInt8] {
        guard isThere else { return [] }
        return LittleEndian.bytes(UInt32(0x0605_4b50)) + LittleEndian.bytes(disk)
            + LittleEndian.bytes(directoryDisk)
            + LittleEndian.bytes(entriesHere ?? self.entries ?? entries)
            + LittleEndian.bytes(self.entries ?? entries) + LittleEndian.bytes(self.size ?? size)
            + LittleEndian.bytes(self.offset ?? offset)
            + LittleEndian.bytes(commentLength ?? UInt16(comment.count)) + comment
    }
}

/// The Zip64 end record and its locator.
struct ForgedZip64End {
    var hasRecord = true
    var length: UInt64 = 44
    var entries: UInt64?
    var size: UInt64?
    var offset: UInt64?
    var locatorDisk: UInt32 = 0
    var locatorDisks: UInt32 = 1
    var locatorOffset: UInt64?

    func bytes(at position: UInt64, entries: UInt64, size: UInt64, offset: UInt64) -> [UInt8] {
        var out: [UInt8] = []
        if hasRecord {
            out += LittleEndian.bytes(UInt32(0x0606_4b50)) + LittleEndian.bytes(length)
            out += LittleEndian.bytes(UInt16(45)) + LittleEndian.bytes(UInt16(45))
            out += LittleEndian.bytes(UInt32(0)) + LittleEndian.bytes(UInt32(0))
            out += LittleEndian.bytes(self.entries ?? entries) + LittleEndian.bytes(self.entries ?? entries)
            out += LittleEndian.bytes(self.size ?? size) + LittleEndian.bytes(self.offset ?? offset)
        }
        out += LittleEndian.bytes(UInt32(0x0706_4b50)) + LittleEndian.bytes(locatorDisk)
        return out + LittleEndian.bytes(locatorOffset ?? position) + LittleEndian.bytes(locatorDisks)
    }
}

enum LittleEndian {
    static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
        }
    }

    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { Self.table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
    }
}

enum Deflate {
    /// A valid stream of blocks that are stored, not packed.
    static func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            out.append(rest.isEmpty ? 1 : 0)
            out += LittleEndian.bytes(UInt16(block.count)) + LittleEndian.bytes(~UInt16(block.count))
            out += block
        } while !rest.isEmpty
        return out
    }
}

enum ExtraField {
    static func make(_ id: UInt16, _ content: [UInt8]) -> [UInt8] {
        LittleEndian.bytes(id) + LittleEndian.bytes(UInt16(content.count)) + content
    }

    static func zip64(_ values: UInt64...) -> [UInt8] {
        make(1, values.flatMap { LittleEndian.bytes($0) })
    }

    /// Info-ZIP's second name.
    static func unicodeName(_ name: String, for original: [UInt8]) -> [UInt8] {
        make(0x7075, [1] + LittleEndian.bytes(Checksum.crc32(original)) + Array(name.utf8))
    }
}
