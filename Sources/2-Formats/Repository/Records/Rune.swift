/// A character of UTF-8 bytes as Go decodes it: a byte that starts none stands for itself alone, so that every sequence of
/// bytes can be split up in one way.
struct Rune {
    let value: UInt32
    /// In bytes, 1 to 4.
    let size: Int

    /// - Returns: nil where the bytes at `place` start no character: stray, cut off, overlong, a surrogate or too large.
    init?(_ bytes: [UInt8], at place: Int) {
        guard place < bytes.count else { return nil }
        let first = UInt32(bytes[place])
        let (size, lowest): (Int, UInt32)
        switch first {
        case 0..<0x80: (size, lowest) = (1, 0)
        case 0xc2..<0xe0: (size, lowest) = (2, 0x80)
        case 0xe0..<0xf0: (size, lowest) = (3, 0x800)
        case 0xf0..<0xf5: (size, lowest) = (4, 0x1_0000)
        default: return nil
        }
        guard bytes.count - place >= size else { return nil }
        var value = size == 1 ? first : first & (0x7f >> UInt32(size))
        for byte in bytes[(place + 1)..<(place + size)] {
            guard byte & 0xc0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        guard value >= lowest, let scalar = Unicode.Scalar(value) else { return nil }
        self.value = scalar.value
        self.size = size
    }
}
