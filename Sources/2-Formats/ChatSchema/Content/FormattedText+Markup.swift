extension FormattedText {
    /// What a user types to get this text: the parts with their delimiters.
    ///
    /// Parsing it gives the same parts, if they came from a text. It may differ from that text where several ways of writing
    /// mean the same: `!red fire!` becomes `!1 fire!`, and neighbors with one format become one.
    public var markup: String { Self.markup(of: parts) }

    /// The parser drops the line feed at the end of a text that has formats: there it was typed twice.
    private static func markup(of parts: [Part]) -> String {
        let typed = parts.reduce(into: "") { $0 += $1.markup }
        let hasFormat = parts.contains { $0.format != nil }
        return hasFormat && typed.utf8.last == UInt8(ascii: "\n") ? typed + "\n" : typed
    }

    /// The text of some parts; nil where no typed text has them, such as bold text with an asterisk in it.
    ///
    /// - Parameter parts: formats that are marks of their own, such as links and names, have their whole text in
    ///   ``Part/text``, as the parser leaves it.
    public init?(parts: [Part]) {
        let parsed = FormattedText(Self.markup(of: parts))
        var joined: [Part] = []
        for part in parts { Self.append(part, to: &joined) }
        guard parsed.parts == joined else { return nil }
        self = parsed
    }

    /// As a user sees it, without delimiters.
    public var shownText: String { parts.reduce(into: "") { $0 += $1.text } }
}

extension FormattedText.Part {
    /// A piece of text with its format; nil for none.
    public init(_ text: String, _ format: TextFormat? = nil) {
        self.init(format: format, text: text)
    }

    /// The part with its delimiters.
    public var markup: String {
        switch format {
        case .bold: "*\(text)*"
        case .italic: "_\(text)_"
        case .strikethrough: "~\(text)~"
        case .code: "`\(text)`"
        case .secret: "#\(text)#"
        case .small: "!- \(text)!"
        case .colored(let color): "!\(color.digit) \(text)!"
        case nil, .link, .namedLink, .simplexLink, .simplexName, .command, .mention, .email, .phone: text
        }
    }
}

extension TextColor {
    /// The digit that is typed for it, from 1 on.
    fileprivate var digit: Int {
        switch self {
        case .red: 1
        case .green: 2
        case .blue: 3
        case .yellow: 4
        case .cyan: 5
        case .magenta: 6
        }
    }
}
