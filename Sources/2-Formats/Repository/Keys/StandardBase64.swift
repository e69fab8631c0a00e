import CValiseSodium

/// Base 64 with the alphabet of `+` and `/`, padded, in memory that the caller chose: for keys.
enum StandardBase64 {
    private static let variant = Int32(sodium_base64_VARIANT_ORIGINAL)

    /// How long the text of so many bytes is.
    static func encodedCount(_ count: Int) -> Int { sodium_base64_encoded_len(count, variant) - 1 }

    /// Writes the text of some bytes and a zero behind it.
    /// - Parameter text: has space for ``encodedCount(_:)`` and one more.
    static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
        precondition(text.count > encodedCount(bytes.count), "output buffer too small for Base64")
        _ = unsafe sodium_bin2base64(
            text.baseAddress!.assumingMemoryBound(to: CChar.self), text.count,
            bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count, variant)
    }

    /// Writes the bytes of a text.
    /// - Returns: how many there are; nil where it is no such text, or `bytes` has no space for them.
    static func decode(_ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard text.count > 0 else { return 0 }
        guard let start = bytes.baseAddress else { return nil }
        var count = 0
        let result = unsafe sodium_base642bin(
            start.assumingMemoryBound(to: UInt8.self), bytes.count,
            text.baseAddress!.assumingMemoryBound(to: CChar.self), text.count, nil, &count, nil, variant)
        return result == 0 ? count : nil
    }

    /// The bytes of a text that is no secret; nil where it is no such text.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count)
        let count = unsafe Array(text.utf8).withUnsafeBytes { text in
            unsafe bytes.withUnsafeMutableBytes { unsafe decode(text, into: $0) }
        }
        return count.map { Array(bytes.prefix($0)) }
    }
}
