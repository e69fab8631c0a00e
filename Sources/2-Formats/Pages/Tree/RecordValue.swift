/// A value as a record stores it. Text is kept as bytes: it need not be valid.
package enum RecordValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// The text, repaired where it is not UTF-8; nil for any other class.
    package var string: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The number, for an integer; nil for any other class.
    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }
}
