/// What a database stores in a column that its schema may be too old for.
package enum Stored<Value: Sendable>: Sendable {
    /// A value.
    case value(Value)
    /// NULL.
    case null
    /// Nothing: the schema has no such column.
    case absent

    /// The value; nil where there is none, for either reason.
    package var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Stored: Equatable where Value: Equatable {}
