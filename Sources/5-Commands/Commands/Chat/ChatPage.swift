import Valise
import ValiseEncoding
import ValiseTerminal

/// Messages on a terminal: a line for each day, names in colors, formats as the app shows them.
struct ChatPage {
    private let reveals: Bool
    private let usesColor: Bool
    /// Of the terminal; nil for lines of any length.
    private let width: Int?
    private var day = ""
    private var isGroup = false
    private var hasBegun = false

    /// As standard output asks for it.
    init(reveals: Bool) {
        self.reveals = reveals
        usesColor = TerminalSetup.current.resultStyle.usesColor
        width = StandardStreams.width(of: .standardOutput)
    }

    mutating func beginning(of conversation: Conversation) -> String {
        isGroup = ![.contact, .notes].contains(conversation.kind)
        // The day is shown again: it may be that of the chat before.
        day = ""
        defer { hasBegun = true }
        return (hasBegun ? "\n" : "")
            + styled("\(Self.line(conversation.name)) (\(conversation.kind.rawValue))", "1") + "\n"
    }

    mutating func text(of item: ConversationItem) -> String {
        let local = item.time.value.map { LocalTime(seconds: $0.seconds) }
        var text = ""
        let date = local?.date ?? item.time.text
        if date != day {
            text += "\n" + styled("── \(date) ──", "2") + "\n"
            day = date
        }
        let clock = styled(local.map { String($0.text.suffix(5)) } ?? "", "2")
        let author = Self.line(item.author.name)
        guard item.message != nil else {
            return text
                + laid("\(clock) \(styled("\(author) \(Self.line(EventText.sentence(of: item)))", "2"))")
        }
        let marks = ItemWords.marks(of: item) + (item.isUnread ? ["unread"] : [])
        let tail = marks.isEmpty ? "" : " " + styled("(\(marks.joined(separator: ", ")))", "2")
        let name = styled(author, item.author.isSelf ? "1" : "1;\(Self.color(of: item.author.key))")
        let lines = body(of: item)
        text += laid("\(clock) \(name): \(lines.first ?? "")\(tail)")
        return text + lines.dropFirst().map { laid("      \($0)") }.joined()
    }

    /// Lines break at words; what goes on is below the text, not below the time.
    private func laid(_ line: String) -> String {
        guard let width else { return "\(line)\n" }
        let margin = line.prefix { $0 == " " }
        let words = line.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false)
        return WordWrap.lines(of: words, after: String(margin), width: width, hanging: Self.indent)
            .map { "\($0)\n" }.joined()
    }

    private static let indent = 6

    private func body(of item: ConversationItem) -> [String] {
        var lines: [String] = []
        if let quote = item.quote {
            let name = quote.author.map { "\(Self.line($0.name)): " } ?? ""
            lines.append(styled("> \(name)\(Self.line(Self.firstLine(quote.text)))", "2"))
        }
        if item.deletion?.isWithdrawn == true, !reveals { return lines + [styled("deleted message", "3")] }
        if let kind = ItemWords.kind(of: item) { lines.append(styled("[\(Self.line(kind))]", "2")) }
        if let file = ItemWords.file(of: item) {
            let size = item.file?.size.map { ", \(Count.bytes($0))" } ?? ""
            lines.append(styled("[file: \(Self.line(file))\(size)]", "36"))
        }
        lines += formatted(item)
        if let reactions = ItemWords.reactions(to: item) { lines.append(Self.line(reactions)) }
        return lines
    }

    // MARK: Formats

    private func formatted(_ item: ConversationItem) -> [String] {
        let text = item.formattedText.parts.map { part in
            part.text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { piece(Self.line(String($0)), part.format, item) }.joined(separator: "\n")
        }.joined()
        return text.isEmpty
            ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func piece(_ text: String, _ format: TextFormat?, _ item: ConversationItem) -> String {
        switch format {
        case nil, .small?, .phone?, .simplexName?, .command?: return text
        case .bold?: return styled(text, "1")
        case .italic?: return styled(text, "3")
        case .strikethrough?: return styled(text, "9")
        case .code?: return styled(text, "36")
        case .secret?: return reveals ? text : String(repeating: "█", count: min(text.count, 20))
        case .colored(let color)?: return styled(text, Self.codes[color] ?? "0")
        case .link?, .email?: return styled(text, "4")
        case .namedLink(let name, let address)?:
            return "\(styled(Self.line(name), "4")) <\(Self.line(address))>"
        case .simplexLink?: return styled(text, "4")
        case .mention(let name)?:
            guard let member = item.mentions[name] else { return text }
            return styled("@\(Self.line(member.name))", "1")
        }
    }

    private static let codes: [TextColor: String] = [
        .red: "31", .green: "32", .blue: "34", .yellow: "33", .cyan: "36", .magenta: "35",
    ]
    private static let memberColors = [31, 32, 33, 34, 35, 36, 91, 92, 94, 95, 96]

    /// The same member has the same color on each page.
    private static func color(of key: String) -> Int {
        memberColors[key.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % memberColors.count]
    }

    private func styled(_ text: String, _ code: String) -> String {
        usesColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }

    private static func line(_ text: String) -> String { text.withoutControls }

    private static func firstLine(_ text: String) -> String {
        text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? text
    }
}
