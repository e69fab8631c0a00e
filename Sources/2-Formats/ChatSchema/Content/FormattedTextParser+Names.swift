/// Names of members, commands and SimpleX names.
extension FormattedTextParser {
    /// A name in quotes, or up to white space and without punctuation at its end.
    private func name(from start: Int) -> (name: Piece, end: Int)? {
        guard start < lineEnd else { return nil }
        if text[start] == "'" {
            guard let close = text[(start + 1)..<lineEnd].firstIndex(of: "'") else { return nil }
            let name = text[(start + 1)..<close]
            return Self.canBegin(name) ? (name, close + 1) : nil
        }
        var stop = end(from: start) { !$0.isSpace }
        while stop > start, text[stop - 1].isPunctuation { stop -= 1 }
        let name = text[start..<stop]
        return Self.canBegin(name) ? (name, stop) : nil
    }

    private static func canBegin(_ name: Piece) -> Bool {
        guard let first = name.first else { return false }
        return first > " " && first != "#" && first != "@" && first != "'"
    }

    /// The name of a member after `@`.
    mutating func mention() -> Bool {
        guard let (name, end) = name(from: position + 1) else { return false }
        return add(.mention(Self.text(name)), position..<end, to: end)
    }

    /// A command of one word after `/`.
    mutating func command() -> Bool {
        guard let (name, end) = name(from: position + 1) else { return false }
        let isWord = name.allSatisfy { $0.properties.isAlphabetic || $0.isNumber || $0 == "_" || $0 == " " }
        return isWord && add(.command(Self.text(name)), position..<end, to: end)
    }

    /// Labels with periods between them, after `#` or `@`.
    ///
    /// - Parameter count: how many labels the name has at least.
    mutating func simplexName(labels count: Int) -> Bool {
        var stop = end(from: position + 1) { $0.isOfName || $0 == "." || $0 == "-" }
        while stop > position, text[stop - 1] == "." || text[stop - 1] == "-" { stop -= 1 }
        guard stop > position + 1, isEndOfName(stop) else { return false }
        var labels = 1
        for place in (position + 1)..<stop where text[place] == "." || text[place] == "-" {
            // A label is not empty, and neither is what is between hyphens.
            guard text[place - 1].isOfName else { return false }
            if text[place] == "." { labels += 1 }
        }
        return labels >= count && add(.simplexName, position..<stop, to: stop)
    }

    /// White space or punctuation follows, and nothing but punctuation up to the next space.
    private func isEndOfName(_ stop: Int) -> Bool {
        if stop < lineEnd, !text[stop].isSpace, !text[stop].isPunctuation { return false }
        let end = end(from: stop, while: \.isPunctuation)
        return end == lineEnd || text[end] == " "
    }
}
