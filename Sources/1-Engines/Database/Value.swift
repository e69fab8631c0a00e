/// A value of SQLite, in its five storage classes.
public enum Value: Sendable, Hashable {
    /// SQL NULL.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value {
    /// The text, for a text value; nil for any other class.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, for an integer; nil for any other class.
    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }
}
