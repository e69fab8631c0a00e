/// Finds names in texts: whole words in any case of letters, the longest name first.
struct NameFinder {
    private struct Entry {
        let tokens: [String]
        let replacement: String
        /// Whether it is too short to be a name wherever it stands.
        let needsMark: Bool
    }

    /// By the first token.
    private var entries: [String: [Entry]] = [:]

    /// - Parameters:
    ///   - names: with what they become.
    ///   - isEverywhere: also names of one letter or of none are found without an `@` before them.
    init(_ names: some Sequence<(name: String, replacement: String)>, isEverywhere: Bool = false) {
        for (name, replacement) in names {
            let tokens = Self.trimmed(TextTokens.of(name[...]))
            add(tokens, replacement, isEverywhere)
            // People leave out the signs around a name.
            let words = tokens.drop { !$0.isWord }
            guard let last = words.lastIndex(where: \.isWord) else { continue }
            let inner = words[...last]
            if inner.count < tokens.count { add(inner, replacement, isEverywhere) }
        }
        for key in entries.keys { entries[key]?.sort { $0.tokens.count > $1.tokens.count } }
    }

    private mutating func add(_ tokens: ArraySlice<TextToken>, _ replacement: String, _ isEverywhere: Bool) {
        guard let first = tokens.first else { return }
        let letters = tokens.reduce(0) { $0 + ($1.isWord ? $1.folded.unicodeScalars.count : 0) }
        entries[first.folded, default: []].append(
            Entry(
                tokens: tokens.map(\.folded), replacement: replacement,
                needsMark: !isEverywhere && letters < 2))
    }

    private static func trimmed(_ tokens: [TextToken]) -> ArraySlice<TextToken> {
        let start = tokens.drop(while: \.isSpace)
        guard let last = start.lastIndex(where: { !$0.isSpace }) else { return [] }
        return start[...last]
    }

    /// The longest name that begins at a token.
    /// - Returns: how many tokens it has, and what it becomes.
    func match(_ tokens: [TextToken], at start: Int) -> (count: Int, replacement: String)? {
        guard let candidates = entries[tokens[start].folded] else { return nil }
        for entry in candidates where entry.tokens.count <= tokens.count - start {
            let isThere = entry.tokens.indices.allSatisfy { tokens[start + $0].folded == entry.tokens[$0] }
            if isThere, !entry.needsMark || Self.mark(tokens, before: start) != .none {
                return (entry.tokens.count, entry.replacement)
            }
        }
        return nil
    }

    /// What stands before a name.
    enum Mark {
        case none
        /// `@`, so that a name of several words needs quotes.
        case plain
        /// `@'`.
        case quoted
    }

    static func mark(_ tokens: [TextToken], before start: Int) -> Mark {
        guard start > 0 else { return .none }
        let isQuoted = tokens[start - 1].folded == "'"
        let place = isQuoted ? start - 2 : start - 1
        guard place >= 0, tokens[place].folded == "@", place == 0 || !tokens[place - 1].isWord else {
            return .none
        }
        return isQuoted ? .quoted : .plain
    }
}
