import ValiseEncoding

/// Hexadecimal digits of secrets, between two places in guarded memory.
enum SecretDigits {
    private static let digits = StaticString("0123456789abcdef")

    /// - Parameters:
    ///   - digits: two for each byte, of either case.
    ///   - memory: for the bytes.
    /// - Returns: false where one is no digit.
    static func decode(_ digits: Slice<UnsafeRawBufferPointer>, into memory: UnsafeMutableRawBufferPointer)
        -> Bool
    {
        for index in memory.indices {
            let place = unsafe digits.startIndex + 2 * index
            guard let high = unsafe Hexadecimal.value(digits[place]),
                let low = unsafe Hexadecimal.value(digits[place + 1])
            else { return false }
            unsafe memory[index] = high << 4 | low
        }
        return true
    }

    /// - Parameters:
    ///   - bytes: what is written.
    ///   - text: for the digits, in lower case.
    ///   - start: where the first one goes.
    static func encode(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer, at start: Int = 0
    ) {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            unsafe text[start + 2 * index] = digits.utf8Start[Int(byte >> 4)]
            unsafe text[start + 2 * index + 1] = digits.utf8Start[Int(byte & 15)]
        }
    }
}
