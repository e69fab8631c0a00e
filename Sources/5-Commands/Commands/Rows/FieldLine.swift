/// A line of two columns: a name and its value.
enum FieldLine {
    /// - Parameters:
    ///   - name: empty to continue the line above.
    ///   - width: of the column of names.
    static func text(_ name: String, _ value: String, width: Int = 12) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, width - name.count)))\(value)"
    }
}

extension String {
    /// With spaces behind it, up to a column's width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
