/// Base 64 (RFC 4648, section 4), padded.
package enum Base64 {
    private static let digits: [UInt8] = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text form of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        unsafe digits.withUnsafeBufferPointer { digits in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    unsafe append(bytes, from: start, to: &text, digits)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to text: inout [UInt8],
        _ digits: UnsafeBufferPointer<UInt8>
    ) {
        let count = min(3, bytes.count - start)
        let second = unsafe count > 1 ? UInt32(bytes[start + 1]) : 0
        let third = unsafe count > 2 ? UInt32(bytes[start + 2]) : 0
        let bits = unsafe UInt32(bytes[start]) << 16 | second << 8 | third
        unsafe text.append(digits[Int(bits >> 18)])
        unsafe text.append(digits[Int(bits >> 12 & 63)])
        unsafe text.append(count > 1 ? digits[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
        unsafe text.append(count > 2 ? digits[Int(bits & 63)] : UInt8(ascii: "="))
    }
}
