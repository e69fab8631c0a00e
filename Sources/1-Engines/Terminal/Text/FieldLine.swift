/// A line of two columns: a name and its value.
package enum FieldLine {
    /// - Parameters:
    ///   - name: empty to continue the line above.
    ///   - width: of the column of names.
    package static func text(_ name: String, _ value: String, width: Int = 12) -> String {
        "  \(name.padded(to: width - 1)) \(value)"
    }
}

extension [String] {
    /// A name and its value as the next line.
    package mutating func appendField(_ name: String, _ value: String) {
        append(FieldLine.text(name, value))
    }
}

extension String {
    /// With spaces behind it, up to a column's width.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
