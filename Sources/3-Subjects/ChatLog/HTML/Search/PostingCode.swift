/// Numbers as printable characters: five bits in each, the last one of a number from another range. A text of them needs no
/// escape in JavaScript and is as short as one with more than one number in two bytes can be.
enum PostingCode {
    private static let more = UInt8(ascii: "0")
    private static let last = UInt8(ascii: "]")

    /// Appends a number.
    static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 32 {
            bytes.append(more + UInt8(truncatingIfNeeded: rest & 31))
            rest >>= 5
        }
        bytes.append(last + UInt8(truncatingIfNeeded: rest))
    }
}
