/// Reads numbers from bytes that may say anything: what does not fit is nil.
struct PageBytes {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> Int? {
        bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
    }

    func number16(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func number32(_ offset: Int) -> UInt32? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// SQLite's number of one to nine bytes, seven bits in each of the first eight, and where it ends.
    func varint(_ offset: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = byte(offset + index) else { return nil }
            if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (Int64(bitPattern: value), offset + index + 1) }
        }
        return nil
    }

    /// A signed number of up to eight bytes, the most significant first.
    func signed(_ offset: Int, width: Int) -> Int64? {
        guard offset >= 0, width <= bytes.count - offset else { return nil }
        var value: Int64 = width > 0 && bytes[offset] >= 0x80 ? -1 : 0
        for byte in bytes[offset..<offset + width] { value = value << 8 | Int64(byte) }
        return value
    }
}
