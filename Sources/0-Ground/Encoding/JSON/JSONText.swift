package import ValiseFailures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON as text, in one style for everything that Valise writes.
package enum JSONText {
    /// One line, keys sorted, slashes as they are; control characters of all kinds are escaped, so that it can be printed.
    ///
    /// - Parameters:
    ///   - value: what is written.
    ///   - sums: how values with cases are written.
    ///   - remedies: the words for the remedies of a report's remarks; nil for the sentences alone.
    package static func encode(
        _ value: some Encodable, sums: SumEncoding = .tagged, remedies: RemedyWords? = nil
    ) throws -> String {
        let text = String(
            decoding: try encodeBytes(value, sums: sums, remedies: remedies), as: UTF8.self)
        // Outside of strings there are none. All of them take four digits.
        return text.replacingControls {
            let digits = String($0.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The same as bytes.
    package static func encodeBytes(
        _ value: some Encodable, sums: SumEncoding = .tagged, remedies: RemedyWords? = nil
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.userInfo[.sumEncoding] = sums
        encoder.userInfo[.remedyWords] = remedies
        return Array(try encoder.encode(value))
    }

    /// Whether a text is JSON, whatever it says.
    package static func isValid(_ text: String) -> Bool { (try? decode(Anything.self, from: text)) != nil }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Reads a value from text.
    package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try decode(type, from: Array(text.utf8))
    }

    /// Reads a value from bytes.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
