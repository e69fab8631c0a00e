import ValiseEncoding

/// A value with the `type` that every JSON document of the program has.
package struct TypedDocument<Value: Encodable>: Encodable {
    package let type: String
    package let value: Value

    package init(type: String, value: Value) {
        self.type = type
        self.value = value
    }

    package func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(type, forKey: "type")
    }
}

extension TypedDocument: Sendable where Value: Sendable {}
