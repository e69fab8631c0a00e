/// The lines of a file of settings: `[SECTION]`, `key = value` or `key: value`, `#` before what is none.
struct SettingsLines {
    struct Line {
        var number: Int
        var section: String
        var key: String
        var value: String

        var place: String { "line \(number) ([\(section)] \(key))" }
    }

    private(set) var lines: [Line] = []
    /// Lines that are of none of these forms.
    private(set) var faults: [String] = []

    init(_ text: String) {
        var section = ""
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let line = Self.trimmed(line.unicodeScalars)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            let scalars = line.unicodeScalars[...]
            if scalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) {
                faults.append("line \(index + 1): contains a control character")
            } else if line.hasPrefix("["), line.hasSuffix("]") {
                section = Self.trimmed(scalars.dropFirst().dropLast()).uppercased()
            } else if let separator = scalars.firstIndex(where: { $0 == "=" || $0 == ":" }) {
                lines.append(
                    Line(
                        number: index + 1, section: section, key: Self.trimmed(scalars[..<separator]),
                        value: Self.trimmed(scalars[scalars.index(after: separator)...])))
            } else {
                faults.append("line \(index + 1): neither a section nor a 'key = value' pair")
            }
        }
    }

    /// By scalars: a sign that is written over the one before it would take a separator, or a space, with it.
    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        var text = text
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
