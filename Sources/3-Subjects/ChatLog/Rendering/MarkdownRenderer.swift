import ValiseChatSchema
import ValiseEncoding
import ValiseFailures

/// A conversation as Markdown (CommonMark), with the formats of its texts and links to its files.
package struct MarkdownRenderer: ConversationRenderer {
    package static let fileExtension = "md"

    private var day = ""

    package init() {}

    package mutating func beginning(of conversation: Conversation) -> String {
        day = ""
        return "# \(Self.escaped(conversation.name))\n\nAll times are UTC.\n"
    }

    package mutating func text(of item: ConversationItem) -> String {
        let time = item.time.secondsText
        let itemDay = String(time.prefix { $0 != " " })
        // What is no time is as somebody stored it.
        let clock = time.split(separator: " ").dropFirst().first.map { Self.escaped(String($0)) } ?? ""
        var text = ""
        if itemDay != day {
            text += "\n## \(Self.escaped(itemDay))\n"
            day = itemDay
        }
        let author = Self.escaped(item.author.name)
        let marks = ItemWords.marks(of: item).map { "*\(Self.escaped($0))*" }.joined(separator: ", ")
        guard item.message != nil else {
            let sentence = Self.escaped(EventText.sentence(of: item))
            // An asterisk before a space would begin a list.
            let words: String = [clock, author, sentence].filter { !$0.isEmpty }.joined(separator: " ")
            let event = String(words.unicodeScalars.drop { $0 == " " || $0 == "\t" })
            return text + "\n*\(event)*\(marks.isEmpty ? "" : " (\(marks))")\n"
        }
        text += "\n**\(author)** \(clock)\(marks.isEmpty ? "" : " (\(marks))")\n"
        if let quote = item.quote {
            let name = quote.author.map { "\($0.name): " } ?? ""
            text +=
                "\n"
                + Self.lines(name + quote.text).map { "> \(Self.indented(Self.escaped($0)))  \n" }.joined()
        }
        if let kind = ItemWords.kind(of: item) { text += "\n\\[\(Self.escaped(kind))\\]\n" }
        if let file = ItemWords.file(of: item) { text += "\n\(Self.link(to: file, item))\n" }
        let body = Self.lines(Self.formatted(item)).map(Self.indented).joined(separator: "\n")
        if !body.isEmpty { text += "\n\(body)\n" }
        if let reactions = ItemWords.reactions(to: item) {
            text += "\n\(Self.indented(Self.escaped(reactions)))\n"
        }
        return text
    }

    // MARK: Pieces

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Spaces at the beginning of a line would make code of it.
    private static func indented(_ line: String) -> String {
        let rest = line.unicodeScalars.drop { $0 == " " || $0 == "\t" }
        guard !rest.isEmpty, rest.startIndex != line.startIndex else { return line }
        let count = line.unicodeScalars.distance(from: line.startIndex, to: rest.startIndex)
        return String(repeating: "&nbsp;", count: count) + String(rest)
    }

    private static func link(to name: String, _ item: ConversationItem) -> String {
        guard let path = item.file?.exported?.pathFromView else { return "\\[file: \(escaped(name))\\]" }
        let isPicture = item.kind == .image
        return "\(isPicture ? "!" : "")[\(escaped(name))](<\(WebLink.path(path))>)"
    }

    private static func formatted(_ item: ConversationItem) -> String {
        item.formattedText.parts.map { part in
            switch part.format {
            case .bold: "**\(escaped(part.text))**"
            case .italic: "*\(escaped(part.text))*"
            case .strikethrough: "~~\(escaped(part.text))~~"
            case .code: code(part.text)
            default: lines(part.text).map(escaped).joined(separator: "  \n")
            }
        }.joined()
    }

    /// As many backticks as the text has none of.
    private static func code(_ text: String) -> String {
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        return fence + space + text + space + fence
    }

    private static let special = Set("\\`*_{}[]()<>#+-.!|~&=\"'".unicodeScalars)

    /// No character means more than itself.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.replacingControls(with: { $0 == "\n" ? " " : "\u{FFFD}" }).unicodeScalars {
            if special.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
