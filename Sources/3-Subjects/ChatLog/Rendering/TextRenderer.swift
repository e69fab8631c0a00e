import ValiseEncoding
import ValiseFailures

/// A conversation as plain text: one line for each line of an item, so that `diff` shows what changed.
package struct TextRenderer: ConversationRenderer {
    package static let fileExtension = "txt"

    package init() {}

    package mutating func beginning(of conversation: Conversation) -> String {
        "\(Self.line(conversation.name)) (\(conversation.kind.rawValue))\nAll times are UTC.\n\n"
    }

    package mutating func text(of item: ConversationItem) -> String {
        // What is no time is as somebody stored it.
        let time = Self.line(item.time.secondsText)
        let author = Self.line(item.author.name)
        guard item.message != nil else {
            let marks = ItemWords.marks(of: item).map { " (\(Self.line($0)))" }.joined()
            return "\(time) * \(author) \(Self.line(EventText.sentence(of: item)))\(marks)\n"
        }
        var lines: [String] = []
        if let quote = item.quote {
            lines.append("> \(quote.author.map { "\($0.name): " } ?? "")\(quote.text)")
        }
        if let kind = ItemWords.kind(of: item) { lines.append("[\(kind)]") }
        if let file = ItemWords.file(of: item) { lines.append("[file: \(file)]") }
        let text = ItemWords.text(of: item)
        if !text.isEmpty || lines.isEmpty {
            lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        if let reactions = ItemWords.reactions(to: item) { lines.append("[\(reactions)]") }
        let marks = ItemWords.marks(of: item)
        if !marks.isEmpty { lines.append("[\(marks.joined(separator: ", "))]") }
        let first = "\(time) \(author): \(Self.line(lines[0]))\n"
        return first + lines.dropFirst().map { "    \(Self.line($0))\n" }.joined()
    }

    /// Nothing of a text can look like a line of its own, or command a terminal.
    private static func line(_ text: String) -> String {
        text.replacingControls { $0 == "\n" ? " ⏎ " : $0 == "\t" ? "\t" : "\u{FFFD}" }
    }
}
