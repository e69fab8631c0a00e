/// How a value that is one of several cases is written as a JSON object.
///
/// Both forms are those of the official programs (Documentation/formats/migrations.md).
package enum SumEncoding: String, Sendable, CaseIterable {
    /// `{"type":"case","field":…}`: Android, desktop, command line.
    case tagged
    /// `{"_owsf":true,"case":{"field":…}}`: Apple systems.
    case singleField = "single-field"
}

extension CodingUserInfoKey {
    /// An encoder's ``SumEncoding``; tagged where it is missing.
    package static let sumEncoding = CodingUserInfoKey(rawValue: "valise.sumEncoding")!
}

/// A key of any name.
package struct AnyCodingKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
    package init(stringLiteral value: String) { stringValue = value }
}

/// Writes and reads sums in both forms. Reading accepts either, with or without the marker.
package enum SumCoding {
    private static let tag: AnyCodingKey = "type"
    private static let marker: AnyCodingKey = "_owsf"

    /// Writes one case.
    ///
    /// - Parameters:
    ///   - name: the case.
    ///   - encoder: its `userInfo` may hold a ``SumEncoding``.
    ///   - fields: writes the case's own fields.
    package static func encode(
        _ name: String, to encoder: any Encoder,
        fields: (inout KeyedEncodingContainer<AnyCodingKey>) throws -> Void = { _ in }
    ) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        switch encoder.userInfo[.sumEncoding] as? SumEncoding ?? .tagged {
        case .tagged:
            try container.encode(name, forKey: tag)
            try fields(&container)
        case .singleField:
            try container.encode(true, forKey: marker)
            var inner = container.nestedContainer(
                keyedBy: AnyCodingKey.self, forKey: AnyCodingKey(stringValue: name))
            try fields(&inner)
        }
    }

    /// Reads which case it is, and where its fields are.
    package static func decode(
        _ decoder: any Decoder
    ) throws -> (name: String, fields: KeyedDecodingContainer<AnyCodingKey>) {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        if let name = try? container.decode(String.self, forKey: tag) { return (name, container) }
        let names = container.allKeys.filter { $0.stringValue != marker.stringValue }
        guard names.count == 1, let key = names.first else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected exactly one case in the object"))
        }
        return (key.stringValue, try container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key))
    }

    /// The error for a case that is not known.
    package static func unknownCase(_ name: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "unknown case '\(name)'"))
    }
}
