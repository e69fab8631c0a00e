import ValiseEncoding

/// The fields of an object that others wrote: none of them twice, and each of its type. Unknown ones are ignored.
struct DocumentFields {
    /// What messages call the document, such as `manifest`.
    private let document: String
    private let values: [String: JSONNode]

    /// - Parameters:
    ///   - bytes: the document.
    ///   - document: what messages call it.
    ///   - mostBytes: a larger one is refused before it is parsed.
    /// - Throws: ``ContentStoreError``: `damaged`; `unsupported` for a larger document.
    init(parsing bytes: [UInt8], _ document: String, mostBytes: Int) throws(ContentStoreError) {
        guard bytes.count <= mostBytes else {
            throw ContentStoreError(
                .unsupported, "the \(document) exceeds the limit of \(Count.bytes(Int64(mostBytes)))")
        }
        guard let node = JSONNode(parsing: bytes) else {
            throw ContentStoreError(.damaged, "the \(document) is not valid JSON")
        }
        try self.init(node, document)
    }

    init(_ node: JSONNode, _ document: String) throws(ContentStoreError) {
        self.document = document
        guard let members = node.objectValue else {
            throw ContentStoreError(.damaged, "the \(document) is not an object")
        }
        var values: [String: JSONNode] = [:]
        for member in members {
            // Programs differ in which of two counts.
            guard values.updateValue(member.value, forKey: member.key) == nil else {
                throw ContentStoreError(.damaged, "the \(document) has a field twice")
            }
        }
        self.values = values
    }

    /// A field of the wrong type, or a value that cannot be.
    func invalid(_ name: String) -> ContentStoreError {
        ContentStoreError(.damaged, "the \(document) has an invalid or missing field '\(name)'")
    }

    /// Nil where the field is missing or null.
    func node(_ name: String) -> JSONNode? {
        guard let node = values[name], node != .null else { return nil }
        return node
    }

    func text(_ name: String) throws(ContentStoreError) -> String {
        guard let text = values[name]?.textValue else { throw invalid(name) }
        return text
    }

    func optionalText(_ name: String) throws(ContentStoreError) -> String? {
        guard node(name) != nil else { return nil }
        return try text(name)
    }

    func number<Number: FixedWidthInteger>(_ name: String) throws(ContentStoreError) -> Number {
        guard let number: Number = values[name]?.number() else { throw invalid(name) }
        return number
    }

    func optionalNumber<Number: FixedWidthInteger>(_ name: String) throws(ContentStoreError) -> Number? {
        guard node(name) != nil else { return nil }
        return try number(name)
    }

    func elements(_ name: String) throws(ContentStoreError) -> [JSONNode] {
        guard let elements = values[name]?.arrayValue else { throw invalid(name) }
        return elements
    }

    /// The fields of an object within this one.
    func fields(_ name: String) throws(ContentStoreError) -> DocumentFields {
        guard let node = values[name] else { throw invalid(name) }
        return try DocumentFields(node, document)
    }

    /// Nil where the field is missing or null.
    func optionalFields(_ name: String) throws(ContentStoreError) -> DocumentFields? {
        guard node(name) != nil else { return nil }
        return try fields(name)
    }

    /// All of them, where the keys are free.
    var all: [String: JSONNode] { values }
}

extension JSONNode {
    /// A number without a fraction and an exponent that the type holds.
    func number<Number: FixedWidthInteger>() -> Number? {
        if case .number(let text) = self { Number(text) } else { nil }
    }
}
