/// What follows the data of an entry whose header was written before its size was known.
struct ZipDescriptor {
    let checksum: UInt32
    let compressedSize: Int64
    let size: Int64
    /// In bytes: 12 to 24.
    let length: Int64

    /// The descriptor at this place that says this packed size, in any of its four forms.
    ///
    /// - Parameter size: of the unpacked data, where it is known.
    static func find(
        at offset: Int64, compressedSize: Int64, size: Int64?, _ bytes: ZipBytes
    ) throws -> ZipDescriptor? {
        let found = try bytes.take(24, at: offset)
        for hasSignature in [true, false] {
            for width in [4, 8] {
                guard let read = parse(found, hasSignature: hasSignature, width: width),
                    read.compressedSize == compressedSize, size == nil || read.size == size
                else { continue }
                return read
            }
        }
        return nil
    }

    /// The descriptor that ends right before this place, of data from `dataStart` on.
    static func ending(at end: Int64, dataStart: Int64, _ bytes: ZipBytes) throws -> ZipDescriptor? {
        for (hasSignature, width) in [(false, 4), (false, 8), (true, 4), (true, 8)] {
            let length = (hasSignature ? 8 : 4) + 2 * width
            let start = end - Int64(length)
            guard start >= dataStart,
                let read = parse(
                    try bytes.take(length, at: start), hasSignature: hasSignature, width: width),
                read.compressedSize == start - dataStart
            else { continue }
            return read
        }
        return nil
    }

    private static func parse(_ bytes: [UInt8], hasSignature: Bool, width: Int) -> ZipDescriptor? {
        let skipped = hasSignature ? 4 : 0
        let length = skipped + 4 + 2 * width
        guard bytes.count >= length else { return nil }
        func number(_ start: Int, _ width: Int) -> UInt64 {
            bytes[start..<start + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard !hasSignature || number(0, 4) == UInt64(ZipSignature.descriptor),
            let compressed = Int64(exactly: number(skipped + 4, width)),
            let size = Int64(exactly: number(skipped + 4 + width, width))
        else { return nil }
        return ZipDescriptor(
            checksum: UInt32(number(skipped, 4)), compressedSize: compressed, size: size,
            length: Int64(length))
    }
}
