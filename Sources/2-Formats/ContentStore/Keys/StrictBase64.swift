/// Base 64 with the alphabet of `+` and `/` (RFC 4648, section 4), strictly, in memory that the caller chose.
enum StrictBase64 {
    /// Writes the bytes of a text.
    ///
    /// - Parameters:
    ///   - text: ASCII.
    ///   - isPadded: whether padding has to be there; otherwise it must not.
    ///   - bytes: gets them.
    /// - Returns: how many there are; nil for other characters, other padding, bits behind the last byte, and where `bytes` has no
    ///   space for them.
    static func decode(
        _ text: some Collection<UInt8>, isPadded: Bool, into bytes: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let digits = isPadded ? withoutPadding(text) : text[...]
        guard let digits, digits.count % 4 != 1 else { return nil }
        var (bits, pending, count): (UInt32, UInt32, Int) = (0, 0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            pending += 6
            guard pending >= 8 else { continue }
            pending -= 8
            guard count < bytes.count else { return nil }
            unsafe bytes[count] = UInt8(truncatingIfNeeded: bits >> pending)
            count += 1
            bits &= 1 << pending - 1
        }
        return bits == 0 ? count : nil
    }

    /// The bytes of a text that is no secret; nil where it is no such text.
    static func decode(_ text: some Collection<UInt8>, isPadded: Bool) -> [UInt8]? {
        let size = text.count / 4 * 3 + 3
        var isValid = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            let decoded = unsafe decode(text, isPadded: isPadded, into: UnsafeMutableRawBufferPointer(memory))
            isValid = decoded != nil
            count = decoded ?? 0
        }
        return isValid ? bytes : nil
    }

    /// Nil where the length is no multiple of four.
    private static func withoutPadding<Text: Collection<UInt8>>(_ text: Text) -> Text.SubSequence? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
        return text.dropLast(padding)
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
