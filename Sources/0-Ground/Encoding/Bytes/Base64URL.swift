/// Base 64 with the alphabet of URLs (RFC 4648, section 5), padded.
package enum Base64URL {
    private static let digits: [UInt8] = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// How long the text of so many bytes is, with its padding.
    package static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// The text form of `bytes`, padded with `=`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        let count = encodedCount(bytes.count)
        return unsafe String(unsafeUninitializedCapacity: count) { text in
            unsafe bytes.withUnsafeBytes { unsafe encode($0, into: UnsafeMutableRawBufferPointer(text)) }
            return count
        }
    }

    /// Writes the text form of `bytes` to memory that is not copied on its way: for secrets.
    ///
    /// - Parameters:
    ///   - bytes: what is encoded.
    ///   - text: has space for ``encodedCount(_:)``.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
        precondition(text.count >= encodedCount(bytes.count), "output buffer too small for Base64")
        var place = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits = unsafe UInt32(bytes[start]) << 16
            if count > 1 { unsafe bits |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { unsafe bits |= UInt32(bytes[start + 2]) }
            for index in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
                unsafe text[place + index] = index <= count ? digit : UInt8(ascii: "=")
            }
            place += 4
        }
    }

    /// The bytes of a text, with or without its padding; nil for other characters, wrong padding or bits behind the
    /// last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var text = Array(text.utf8)
        return unsafe text.withUnsafeMutableBytes { text in
            // The bytes need less space than their text, and are written behind what was read.
            unsafe decode(UnsafeRawBufferPointer(text), into: text).map { unsafe Array(text[..<$0]) }
        }
    }

    /// Writes the bytes of a text to memory that is not copied on its way: for secrets.
    ///
    /// - Returns: how many there are; nil where ``decode(_:)`` has nil, or where `bytes` has no space for them.
    package static func decode(
        _ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var end = text.count
        while end > 0, unsafe text[end - 1] == UInt8(ascii: "="), text.count - end < 2 { end -= 1 }
        guard end == text.count || text.count % 4 == 0, end % 4 != 1, end * 3 / 4 <= bytes.count else {
            return nil
        }
        var bits: UInt32 = 0
        var pending = 0
        var count = 0
        for place in 0..<end {
            guard let value = unsafe value(of: text[place]) else { return nil }
            bits = bits << 6 | value
            pending += 6
            if pending >= 8 {
                pending -= 8
                unsafe bytes[count] = UInt8(truncatingIfNeeded: bits >> UInt32(pending))
                count += 1
            }
            bits &= 1 << UInt32(pending) - 1
        }
        return bits == 0 ? count : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
