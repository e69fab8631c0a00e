/// What is known of an entry that is written.
struct ZipEntryRecord: Sendable {
    var name: [UInt8]
    var method: ZipMethod
    /// Seconds since 1970, and the same as DOS has it.
    var modificationTime: ZipTime
    /// Whether sizes and checksum stand behind the data, because they were not known before.
    var hasDescriptor = false
    /// Whether the local header speaks in 64 bits, and so the descriptor.
    var isWide = false
    var compressedSize: Int64 = 0
    var size: Int64 = 0
    var checksum: UInt32 = 0
    /// Of the bytes as they lie in the archive, where somebody wants to know.
    var packedChecksum: UInt32 = 0
    var localOffset: Int64 = 0

    /// The size from which an entry may need 64 bits, for what packing adds at most.
    static let wideSize = Int64(UInt32.max) - (32 << 20)

    /// 32-bit fields with all bits set point to the Zip64 field.
    private static let wide = UInt64(UInt32.max)
    /// Bit 11: the name is UTF-8. Bit 3: a descriptor follows.
    private var flags: UInt16 { 0x800 | (hasDescriptor ? 8 : 0) }
    private func version(_ isWide: Bool) -> UInt16 { isWide ? 45 : method == .deflated ? 20 : 10 }

    /// What stands before the data. Sizes are left out where a descriptor brings them.
    var localHeader: [UInt8] {
        var bytes: [UInt8] = []
        let sizes = hasDescriptor ? (0, 0) : (UInt64(size), UInt64(compressedSize))
        var extra = ZipExtraWriter()
        if isWide { extra.addWide([sizes.0, sizes.1]) }
        extra.addTime(modificationTime)
        bytes.append(littleEndian: UInt32(0x0403_4b50))
        bytes.append(littleEndian: version(isWide))
        appendCommon(to: &bytes, checksum: hasDescriptor ? 0 : checksum)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: isWide ? Self.wide : sizes.1))
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: isWide ? Self.wide : sizes.0))
        bytes.append(littleEndian: UInt16(name.count))
        bytes.append(littleEndian: UInt16(extra.bytes.count))
        return bytes + name + extra.bytes
    }

    /// What stands behind the data.
    var descriptor: [UInt8] {
        guard hasDescriptor else { return [] }
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(0x0807_4b50))
        bytes.append(littleEndian: checksum)
        for value in [UInt64(compressedSize), UInt64(size)] {
            if isWide {
                bytes.append(littleEndian: value)
            } else {
                bytes.append(littleEndian: UInt32(truncatingIfNeeded: value))
            }
        }
        return bytes
    }

    var centralHeader: [UInt8] {
        let values = [UInt64(size), UInt64(compressedSize), UInt64(localOffset)]
        let needed = values.filter { $0 >= Self.wide }
        var extra = ZipExtraWriter()
        if !needed.isEmpty { extra.addWide(needed) }
        extra.addTime(modificationTime)
        let version = version(isWide || !needed.isEmpty)
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(0x0201_4b50))
        bytes.append(littleEndian: 3 << 8 | version)  // made on Unix
        bytes.append(littleEndian: version)
        appendCommon(to: &bytes, checksum: checksum)
        bytes.append(littleEndian: UInt32(min(values[1], Self.wide)))
        bytes.append(littleEndian: UInt32(min(values[0], Self.wide)))
        bytes.append(littleEndian: UInt16(name.count))
        bytes.append(littleEndian: UInt16(extra.bytes.count))
        bytes.append(littleEndian: UInt32(0))  // no comment, first disk
        bytes.append(littleEndian: UInt16(0))
        bytes.append(littleEndian: UInt32(0o100600) << 16)  // a regular file of its owner
        bytes.append(littleEndian: UInt32(min(values[2], Self.wide)))
        return bytes + name + extra.bytes
    }

    private func appendCommon(to bytes: inout [UInt8], checksum: UInt32) {
        bytes.append(littleEndian: flags)
        bytes.append(littleEndian: method.rawValue)
        bytes.append(littleEndian: modificationTime.dos)
        bytes.append(littleEndian: checksum)
    }
}

extension ZipEntryRecord {
    /// A stored entry as ``ZipWriter`` writes it where it is reproducible: one of several stretches is begun before
    /// its checksum is known.
    init(stored name: [UInt8], size: Int64, checksum: UInt32, localOffset: Int64) {
        self.init(name: name, method: .stored, modificationTime: .fixed)
        self.size = size
        self.checksum = checksum
        self.localOffset = localOffset
        compressedSize = size
        hasDescriptor = size > Int64(BlockDeflater.stretchSize)
        isWide = hasDescriptor && size >= Self.wideSize
    }
}

/// The extra fields of a header.
private struct ZipExtraWriter {
    private(set) var bytes: [UInt8] = []

    /// 64-bit values for the fields that have no space for them, in the order of APPNOTE 4.5.3.
    mutating func addWide(_ values: [UInt64]) {
        bytes.append(littleEndian: UInt16(1))
        bytes.append(littleEndian: UInt16(8 * values.count))
        for value in values { bytes.append(littleEndian: value) }
    }

    /// Info-ZIP's 'UT', with the modification time alone.
    mutating func addTime(_ time: ZipTime) {
        guard let seconds = time.seconds else { return }
        bytes.append(littleEndian: UInt16(0x5455))
        bytes.append(littleEndian: UInt16(5))
        bytes.append(1)
        bytes.append(littleEndian: UInt32(bitPattern: seconds))
    }
}

/// The records behind the central directory.
enum ZipEnd {
    static func bytes(entries: Int, directoryOffset: Int64, directorySize: Int64) -> [UInt8] {
        let end = directoryOffset + directorySize
        let isWide = entries >= 0xffff || directoryOffset >= 0xffff_ffff || directorySize >= 0xffff_ffff
        var bytes: [UInt8] = []
        if isWide {
            bytes.append(littleEndian: UInt32(0x0606_4b50))
            bytes.append(littleEndian: UInt64(44))
            bytes.append(littleEndian: UInt16(3 << 8 | 45))
            bytes.append(littleEndian: UInt16(45))
            bytes.append(littleEndian: UInt64(0))  // disks
            bytes.append(littleEndian: UInt64(entries))
            bytes.append(littleEndian: UInt64(entries))
            bytes.append(littleEndian: UInt64(directorySize))
            bytes.append(littleEndian: UInt64(directoryOffset))
            bytes.append(littleEndian: UInt32(0x0706_4b50))
            bytes.append(littleEndian: UInt32(0))
            bytes.append(littleEndian: UInt64(end))
            bytes.append(littleEndian: UInt32(1))
        }
        bytes.append(littleEndian: UInt32(0x0605_4b50))
        bytes.append(littleEndian: UInt32(0))  // disks
        bytes.append(littleEndian: UInt16(min(entries, 0xffff)))
        bytes.append(littleEndian: UInt16(min(entries, 0xffff)))
        bytes.append(littleEndian: UInt32(min(directorySize, 0xffff_ffff)))
        bytes.append(littleEndian: UInt32(min(directoryOffset, 0xffff_ffff)))
        bytes.append(littleEndian: UInt16(0))  // no comment
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
