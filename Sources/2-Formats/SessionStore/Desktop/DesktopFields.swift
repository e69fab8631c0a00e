import ValiseEncoding

/// The fields of a JSON object, each of one kind or a problem.
struct DesktopFields {
    let node: JSONNode
    private let path: String
    let problems: ReadingProblems

    /// More elements of an array are not read: no message has so many parts.
    private static let mostElements = 1000

    /// Nil where it is no object.
    init?(_ node: JSONNode, path: String = "", _ problems: ReadingProblems) {
        guard case .object = node else { return nil }
        self.node = node
        self.path = path
        self.problems = problems
    }

    /// Without any field.
    init(none problems: ReadingProblems) {
        (node, path) = (.empty, "")
        self.problems = problems
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Whether it has a field other than null.
    func has(_ key: String) -> Bool {
        guard let value = node[key] else { return false }
        return value != .null
    }

    private func value<Value>(_ key: String, _ kind: String, _ read: (JSONNode) -> Value?) -> Value? {
        guard let field = node[key], field != .null else { return nil }
        guard let value = read(field) else {
            problems.add("\(name(key)) is no \(kind)")
            return nil
        }
        return value
    }

    func text(_ key: String) -> String? { value(key, "text", \.textValue) }

    /// A text that is not empty.
    func filledText(_ key: String) -> String? { text(key).flatMap { $0.isEmpty ? nil : $0 } }

    /// A whole number, which old versions may have stored as text.
    func integer(_ key: String) -> Int64? {
        value(key, "whole number") { node in
            if let number = node.integerValue { return number }
            if case .number(let text) = node { return Double(text).flatMap { Int64(exactly: $0) } }
            return node.textValue.flatMap { Int64($0) }
        }
    }

    func decimal(_ key: String) -> Double? {
        value(key, "number") { node in
            if case .number(let text) = node { Double(text) } else { nil }
        }
    }

    /// True, false, 0 or 1.
    func flag(_ key: String) -> Bool? {
        value(key, "truth value") { $0.boolValue ?? $0.integerValue.map { $0 != 0 } }
    }

    func object(_ key: String) -> DesktopFields? {
        value(key, "object") { DesktopFields($0, path: name(key), problems) }
    }

    func objects(_ key: String) -> [DesktopFields] {
        elements(key).enumerated().compactMap { index, node in
            let place = "\(name(key))[\(index)]"
            if let fields = DesktopFields(node, path: place, problems) { return fields }
            problems.add("\(place) is no object")
            return nil
        }
    }

    func texts(_ key: String) -> [String] {
        elements(key).compactMap { node in
            if node.textValue == nil { problems.add("\(name(key)) has an element that is no text") }
            return node.textValue
        }
    }

    private func elements(_ key: String) -> [JSONNode] {
        guard let elements = value(key, "array", \.arrayValue) else { return [] }
        if elements.count > Self.mostElements { problems.add("\(name(key)) has too many elements") }
        return Array(elements.prefix(Self.mostElements))
    }
}
