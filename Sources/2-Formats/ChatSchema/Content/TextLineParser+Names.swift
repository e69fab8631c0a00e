/// Names of members, commands and SimpleX names.
extension TextLineParser {
    /// A name in quotes, or up to white space and without punctuation at its end.
    private func name(from start: Int) -> (name: Piece, end: Int)? {
        guard start < line.count else { return nil }
        if line[start] == "'" {
            guard let close = line[(start + 1)...].firstIndex(of: "'") else { return nil }
            let name = line[(start + 1)..<close]
            return Self.canBegin(name) ? (name, close + 1) : nil
        }
        var stop = end(from: start) { !$0.isSpace }
        while stop > start, line[stop - 1].isPunctuation { stop -= 1 }
        let name = line[start..<stop]
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
        while stop > position, line[stop - 1] == "." || line[stop - 1] == "-" { stop -= 1 }
        guard stop > position + 1, isEndOfName(stop) else { return false }
        let labels = line[(position + 1)..<stop].split(separator: ".", omittingEmptySubsequences: false)
        let areNames = labels.allSatisfy { label in
            label.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        }
        return areNames && labels.count >= count && add(.simplexName, position..<stop, to: stop)
    }

    /// White space or punctuation follows, and nothing but punctuation up to the next space.
    private func isEndOfName(_ stop: Int) -> Bool {
        if stop < line.count, !line[stop].isSpace, !line[stop].isPunctuation { return false }
        return line[stop..<wordEnd(from: stop)].allSatisfy(\.isPunctuation)
    }
}
