/// The name of a field, in three words: millions are compared while an index is read, and none of them shall be a `String`.
struct RecordKey: Equatable, ExpressibleByStringLiteral {
    /// The bytes in order, filled up with zeros, and their number in the last one.
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

    /// Longer names are no fields of the format, and equal none.
    private static let longest = 23

    /// - Parameter name: without quotes and escapes.
    init(_ name: some Collection<UInt8>) {
        guard name.count <= Self.longest else {
            words.2 = 0xff
            return
        }
        var count = 0
        for byte in name {
            let bits = UInt64(byte) << UInt64(56 - (count & 7) << 3)
            if count < 8 {
                words.0 |= bits
            } else if count < 16 {
                words.1 |= bits
            } else {
                words.2 |= bits
            }
            count += 1
        }
        words.2 |= UInt64(count)
    }

    init(stringLiteral name: String) { self.init(name.utf8) }

    static func == (left: RecordKey, right: RecordKey) -> Bool {
        left.words == right.words && left.words.2 & 0xff != 0xff
    }
}
