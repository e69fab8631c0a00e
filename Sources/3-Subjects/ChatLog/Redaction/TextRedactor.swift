/// Redacts texts. What was put in is never looked at again.
struct TextRedactor {
    private enum Piece {
        case kept(Substring)
        case replaced(String)
    }

    private enum Step {
        case words(NameFinder)
        case expression(Regex<AnyRegexOutput>, String)
        case details(links: Bool, phones: Bool)
    }

    private let steps: [Step]
    /// Nil where names stay.
    private let names: NameFinder?

    /// - Parameters:
    ///   - redaction: what is kept back.
    ///   - names: all names and what they become.
    init(_ redaction: ChatRedaction, _ names: some Sequence<(name: String, replacement: String)>) {
        var steps: [Step] = []
        for replacement in redaction.replacements {
            switch replacement.pattern {
            case .words(let words):
                steps.append(
                    .words(NameFinder([(name: words, replacement: replacement.text)], isEverywhere: true)))
            case .expression(let expression):
                guard let regex = try? Regex(expression) else { continue }
                steps.append(.expression(regex, replacement.text))
            }
        }
        let (links, phones) = (redaction.categories.contains(.links), redaction.categories.contains(.phones))
        if links || phones { steps.append(.details(links: links, phones: phones)) }
        self.steps = steps
        self.names = redaction.categories.contains(.names) ? NameFinder(names) : nil
    }

    /// - Parameters:
    ///   - text: any text.
    ///   - mentions: the names that stand behind an `@` in this text; nil for none.
    func redacted(_ text: String, mentions: NameFinder? = nil) -> String {
        guard !text.isEmpty else { return text }
        var pieces = [Piece.kept(text[...])]
        for step in steps {
            pieces = Self.split(pieces) { piece in
                switch step {
                case .words(let finder): Self.named(piece, finder, mentions: nil, quotes: false)
                case .expression(let regex, let replacement):
                    piece.ranges(of: regex).filter { !$0.isEmpty }.map {
                        (range: $0, replacement: replacement)
                    }
                case .details(let links, let phones): Self.details(in: piece, links: links, phones: phones)
                }
            }
        }
        if let names {
            pieces = Self.split(pieces) { Self.named($0, names, mentions: mentions, quotes: true) }
        }
        return pieces.map { piece in
            switch piece {
            case .kept(let text): String(text)
            case .replaced(let text): text
            }
        }.joined()
    }

    private typealias Found = (range: Range<String.Index>, replacement: String)

    private static func split(_ pieces: [Piece], _ find: (Substring) -> [Found]) -> [Piece] {
        pieces.flatMap { piece -> [Piece] in
            guard case .kept(let text) = piece else { return [piece] }
            let found = find(text)
            guard !found.isEmpty else { return [piece] }
            var parts: [Piece] = []
            var place = text.startIndex
            for (range, replacement) in found {
                if place < range.lowerBound { parts.append(.kept(text[place..<range.lowerBound])) }
                parts.append(.replaced(replacement))
                place = range.upperBound
            }
            if place < text.endIndex { parts.append(.kept(text[place...])) }
            return parts
        }
    }

    private static func details(in text: Substring, links: Bool, phones: Bool) -> [Found] {
        ContactDetails.places(in: text).compactMap { place in
            switch place.kind {
            case .link: links ? (range: place.range, replacement: RedactedWords.link) : nil
            case .email: links ? (range: place.range, replacement: RedactedWords.email) : nil
            case .phone: phones ? (range: place.range, replacement: RedactedWords.phone) : nil
            }
        }
    }

    private static func named(
        _ text: Substring, _ finder: NameFinder, mentions: NameFinder?, quotes: Bool
    ) -> [Found] {
        let tokens = TextTokens.of(text)
        var found: [Found] = []
        var place = 0
        while place < tokens.count {
            let mark = quotes ? NameFinder.mark(tokens, before: place) : .none
            let mention = mark == .none ? nil : mentions?.match(tokens, at: place)
            guard let (count, replacement) = mention ?? finder.match(tokens, at: place) else {
                place += 1
                continue
            }
            let range = tokens[place].range.lowerBound..<tokens[place + count - 1].range.upperBound
            // Without quotes a mention ends at a space.
            let needsQuotes = mark == .plain && replacement.utf8.contains(UInt8(ascii: " "))
            found.append((range: range, replacement: needsQuotes ? "'\(replacement)'" : replacement))
            place += count
        }
        return found
    }
}

/// What stands where something was.
enum RedactedWords {
    static let link = "[link]"
    static let email = "[email]"
    static let phone = "[phone]"
}
