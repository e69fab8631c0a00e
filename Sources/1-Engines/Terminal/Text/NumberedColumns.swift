/// Words with their numbers, in columns that people read to each other.
package enum NumberedColumns {
    private static let perLine = 4

    /// Four on a line.
    package static func lines(_ words: [String]) -> [String] {
        let width = words.map(\.count).max() ?? 0
        return stride(from: 0, to: words.count, by: perLine).map { start in
            let cells = (start..<min(start + perLine, words.count)).map { index in
                "\(index + 1) \(words[index].padded(to: width))"
            }
            return "  " + cells.joined(separator: "   ").trimmingEnd
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
