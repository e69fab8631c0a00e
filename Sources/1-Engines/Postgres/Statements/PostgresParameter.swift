import ValiseEncoding

/// A value that is given to a statement, with its type: a null has one, too, since a statement is prepared for types.
package enum PostgresParameter: Sendable, Hashable {
    /// `bigint`
    case integer(Int64?)
    /// `integer`
    case shortInteger(Int32?)
    /// `boolean`
    case boolean(Bool?)
    /// `text`. The server refuses a zero byte.
    case text(String?)
    /// `bytea`
    case bytes([UInt8]?)
    /// `bigint[]`, such as for `= ANY ($1)`.
    case integers([Int64])
    /// `text[]`
    case texts([String])
    /// `bytea[]`
    case byteStrings([[UInt8]])

    var type: PostgresType {
        switch self {
        case .integer: .bigint
        case .shortInteger: .integer
        case .boolean: .boolean
        case .text: .text
        case .bytes: .bytea
        case .integers: .bigintArray
        case .texts: .textArray
        case .byteStrings: .byteaArray
        }
    }
}

extension PostgresParameter: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

/// The numbers of types: those of `pg_type`, which never change for types of the server itself.
enum PostgresType: UInt32 {
    case boolean = 16
    case bytea = 17
    case character = 18
    case name = 19
    case bigint = 20
    case smallint = 21
    case integer = 23
    case text = 25
    case object = 26
    case textArray = 1009
    case byteaArray = 1001
    case bigintArray = 1016
    case fixedText = 1042
    case limitedText = 1043
    case void = 2278
}
