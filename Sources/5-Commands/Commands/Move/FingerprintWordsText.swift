/// The fingerprint words, as people read them to each other.
enum FingerprintWordsText {
    private static let perLine = 4

    /// Numbered, four on a line, in columns.
    static func lines(_ words: [String]) -> [String] {
        let width = words.map(\.count).max() ?? 0
        return stride(from: 0, to: words.count, by: perLine).map { start in
            let cells = (start..<min(start + perLine, words.count)).map { index in
                let word = words[index] + String(repeating: " ", count: width - words[index].count)
                return "\(index + 1) \(word)"
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
