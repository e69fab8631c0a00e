/// A JSON document of any form, as it was written: numbers keep their text, objects their order and their twins.
///
/// It is our own because of speed and of what others lose (decision 0055): `JSONDecoder` takes tens of microseconds for a
/// small document of any form, and passes neither the text of a number nor the order of an object on; FoundationEssentials
/// has no `JSONSerialization`. ``AnyJSON`` is for parts of documents that are `Codable`.
package enum JSONNode: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As it was written.
    case number(String)
    case text(String)
    case array([JSONNode])
    /// In the order of the document.
    case object([Member])

    /// One key of an object and its value.
    package struct Member: Sendable, Equatable {
        package let key: String
        package let value: JSONNode

        package init(_ key: String, _ value: JSONNode) {
            self.key = key
            self.value = value
        }
    }

    /// An object without members.
    package static let empty = JSONNode.object([])

    /// Reads a document of RFC 8259 in UTF-8; nil where anything else is in the text, or more than 100 levels.
    ///
    /// A half of a surrogate pair becomes U+FFFD: other programs write them, and the rest of the text can be read.
    package init?(parsing bytes: [UInt8]) {
        var parser = JSONParser(bytes)
        guard let node = parser.document() else { return nil }
        self = node
    }

    /// Reads a document; nil where the text is none.
    package init?(parsing text: String) { self.init(parsing: Array(text.utf8)) }
}

extension JSONNode {
    /// A member of an object, the last one where several have the key; nil for other nodes.
    package subscript(_ key: String) -> JSONNode? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// A text; nil for other nodes.
    package var textValue: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A number without a fraction and an exponent, if 64 bits hold it.
    package var integerValue: Int64? {
        if case .number(let text) = self { Int64(text) } else { nil }
    }

    /// True or false; nil for other nodes.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for other nodes.
    package var arrayValue: [JSONNode]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for other nodes.
    package var objectValue: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}
