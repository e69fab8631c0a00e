import SystemPackage

/// Words with their numbers, in columns that people read to each other.
package enum NumberedColumns {
    private static let mostPerLine = 4
    private static let (margin, gap) = (2, 3)

    /// Four on a line of the terminal, or two, or one: as many as it has space for, so that the columns stay even.
    /// - Parameter indent: how much is put before each line.
    package static func lines(_ words: [String], indent: Int = 0) -> [String] {
        let window = StandardStreams.width(of: .standardOutput) ?? StandardStreams.width(of: .standardError)
        return lines(words, in: window.map { $0 - indent })
    }

    /// - Parameter columns: nil where lines may have any length.
    static func lines(_ words: [String], in columns: Int?) -> [String] {
        let width = words.map(\.count).max() ?? 0
        let perLine = perLine(cell: width + 2, in: columns)
        return stride(from: 0, to: words.count, by: perLine).map { start in
            let cells = (start..<min(start + perLine, words.count)).map { index in
                "\(index + 1) \(words[index].padded(to: width))"
            }
            return "  " + cells.joined(separator: "   ").trimmingEnd
        }
    }

    private static func perLine(cell: Int, in columns: Int?) -> Int {
        guard let columns else { return mostPerLine }
        var count = mostPerLine
        while count > 1, margin + count * cell + (count - 1) * gap > columns { count /= 2 }
        return count
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
