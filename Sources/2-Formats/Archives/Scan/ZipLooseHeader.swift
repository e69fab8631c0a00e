/// The signatures that records of a zip file start with.
enum ZipSignature {
    static let local: UInt32 = 0x0403_4b50
    static let central: UInt32 = 0x0201_4b50
    static let descriptor: UInt32 = 0x0807_4b50
    static let end: UInt32 = 0x0605_4b50
    static let zip64End: UInt32 = 0x0606_4b50
    static let zip64Locator: UInt32 = 0x0706_4b50
}

/// A header of an entry in a damaged archive. Nothing of it is believed before a checksum proves it.
struct ZipLooseHeader: Sendable {
    private(set) var rawName: [UInt8] = []
    private(set) var flags: UInt16 = 0
    private(set) var method: UInt16 = 0
    /// Seconds since 1970; a time of DOS is taken as UTC.
    private(set) var modificationTime: Int64 = 0
    private(set) var checksum: UInt32 = 0
    private(set) var compressedSize: Int64 = 0
    private(set) var size: Int64 = 0
    /// Of the header with name, extra fields and comment, in bytes.
    private(set) var length: Int64 = 0
    /// Where the local header is said to be; of a central header only.
    private(set) var localOffset: Int64 = 0
    /// Whether it is a link, a device or the like; only a central header tells.
    private(set) var isSpecial = false
    /// Whether nothing tells how large it is.
    private(set) var hasLostSizes = false

    static let localLength = 30
    static let centralLength = 46

    // More would make a file full of signatures expensive; entries of an account have a tenth of it.
    private static let longestName = 1024
    private static let mostExtra = 4096

    var hasDescriptor: Bool { flags & 0x8 != 0 }
    var isEncrypted: Bool { flags & 0x2041 != 0 }
    /// Whether the sizes come behind the data only.
    var hasUnknownSize: Bool { hasDescriptor && compressedSize == 0 }

    /// Where the data begin, of a local header at this place.
    func dataStart(_ offset: Int64) -> Int64 { offset + length }

    /// - Returns: nil where it cannot be a local header.
    static func local(at offset: Int64, _ bytes: ZipBytes) throws -> ZipLooseHeader? {
        try read(at: offset, bytes, fixedLength: localLength, signature: ZipSignature.local)
    }

    /// - Returns: nil where it cannot be a header of the central directory.
    static func central(at offset: Int64, _ bytes: ZipBytes) throws -> ZipLooseHeader? {
        try read(at: offset, bytes, fixedLength: centralLength, signature: ZipSignature.central)
    }

    private static func read(
        at offset: Int64, _ bytes: ZipBytes, fixedLength: Int, signature: UInt32
    ) throws -> ZipLooseHeader? {
        let fixed = try bytes.take(fixedLength, at: offset)
        guard fixed.count == fixedLength else { return nil }
        // Field by field without a reader: thousands of headers are looked at where one is a header.
        func short(_ start: Int) -> UInt16 { UInt16(fixed[start]) | UInt16(fixed[start + 1]) << 8 }
        func long(_ start: Int) -> UInt32 { UInt32(short(start)) | UInt32(short(start + 2)) << 16 }
        let isCentral = signature == ZipSignature.central
        // A central header has the version of its writer first. The version needed is not asked: a checksum proves more.
        let first = isCentral ? 6 : 4
        guard long(0) == signature else { return nil }
        let (nameLength, extraLength) = (Int(short(first + 22)), Int(short(first + 24)))
        guard (1...longestName).contains(nameLength), extraLength <= mostExtra else { return nil }
        var header = ZipLooseHeader()
        header.flags = short(first + 2)
        header.method = short(first + 4)
        header.modificationTime = DOSTime.seconds(date: short(first + 8), time: short(first + 6))
        header.checksum = long(first + 10)
        let commentLength = isCentral ? Int(short(32)) : 0
        header.isSpecial = isCentral && isSpecial(long(38), madeBy: short(4))
        header.length = Int64(fixedLength + nameLength + extraLength + commentLength)
        return header.complete(
            try bytes.take(nameLength + extraLength, at: offset + Int64(fixedLength)), nameLength,
            extraLength,
            (long(first + 14), long(first + 18)), isCentral ? long(42) : 0)
    }

    private static func isSpecial(_ attributes: UInt32, madeBy: UInt16) -> Bool {
        guard madeBy >> 8 == 3 || madeBy >> 8 == 19 else { return false }
        return ![0, 0x8000, 0x4000].contains(attributes >> 16 & 0xf000)
    }

    private func complete(
        _ variable: [UInt8], _ nameLength: Int, _ extraLength: Int,
        _ sizes: (compressed: UInt32, uncompressed: UInt32), _ offset32: UInt32
    ) -> ZipLooseHeader? {
        var header = self
        guard variable.count == nameLength + extraLength else { return nil }
        header.rawName = Array(variable[..<nameLength])
        // Names with control characters are chance, or nothing that could be kept.
        guard !header.rawName.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
        let extra = variable[nameLength...]
        if let time = Self.universalTime(extra) { header.modificationTime = time }
        guard [sizes.compressed, sizes.uncompressed, offset32].contains(.max) else {
            header.compressedSize = Int64(sizes.compressed)
            header.size = Int64(sizes.uncompressed)
            header.localOffset = Int64(offset32)
            return header
        }
        do throws(ZipError) {
            let wide = try ZipExtraFields(extra, entry: "").sizes(
                uncompressed: sizes.uncompressed, compressed: sizes.compressed, offset: offset32, entry: "")
            header.compressedSize = wide.compressed
            header.size = wide.uncompressed
            header.localOffset = wide.offset
            return header
        } catch {
            return header.withoutWideSizes(sizes.compressed, offset32)
        }
    }

    /// The Zip64 sizes are missing or contradict each other: name and place are left, and of a stored entry maybe more.
    private func withoutWideSizes(_ compressed: UInt32, _ offset32: UInt32) -> ZipLooseHeader? {
        guard offset32 != .max else { return nil }
        var header = self
        header.localOffset = Int64(offset32)
        header.hasLostSizes = compressed == .max || method != ZipMethod.stored.rawValue
        if !header.hasLostSizes {
            header.compressedSize = Int64(compressed)
            header.size = Int64(compressed)
        }
        return header
    }

    /// Info-ZIP's time in seconds since 1970.
    private static func universalTime(_ extra: ArraySlice<UInt8>) -> Int64? {
        var field = extra.startIndex
        while field + 4 <= extra.endIndex {
            let id = UInt16(extra[field]) | UInt16(extra[field + 1]) << 8
            let end = field + 4 + (Int(extra[field + 2]) | Int(extra[field + 3]) << 8)
            guard end <= extra.endIndex else { return nil }
            if id == 0x5455, end - field >= 9, extra[field + 4] & 1 == 1 {
                let time = extra[field + 5..<field + 9].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                return Int64(Int32(bitPattern: time))
            }
            field = end
        }
        return nil
    }
}

/// Dates and times as DOS has them.
enum DOSTime {
    static func seconds(date: UInt16, time: UInt16) -> Int64 {
        let (year, month, day) = (Int64(date >> 9) + 1980, Int64(date >> 5 & 15), Int64(date & 31))
        let clock = Int64(time >> 11) * 3600 + Int64(time >> 5 & 63) * 60 + Int64(time & 31) * 2
        // Days since 1970 in the Gregorian calendar, the year taken to start in March.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return days * 86_400 + clock
    }
}
