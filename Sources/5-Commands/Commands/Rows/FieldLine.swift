/// A line of what a user is told of one thing: a name and what it is, in two columns.
enum FieldLine {
    /// - Parameters:
    ///   - name: empty for what belongs to the line above.
    ///   - width: of the column of names.
    static func text(_ name: String, _ value: String, width: Int = 12) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, width - name.count)))\(value)"
    }
}
