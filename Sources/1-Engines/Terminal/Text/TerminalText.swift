import ValiseEncoding

/// Text in the window of a terminal: lines break at words, but never inside of paths, links and command lines.
package struct TerminalText {
    /// Columns that values need. Where fewer are left, they go below their name.
    private static let narrowest = 20
    /// A column of names is narrower.
    private static let widestName = 32
    private static let deepest = 6

    private let setup: TerminalSetup

    /// - Parameters:
    ///   - width: in columns; nil leaves the text as it is.
    ///   - setup: says which lines are messages and command lines.
    package static func wrapped(
        _ text: String, to width: Int?, for setup: TerminalSetup = .current
    ) -> String {
        guard let width else { return text }
        let layout = TerminalText(setup: setup)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { layout.lines($0, width) }
            .joined(separator: "\n")
    }

    private func lines(_ line: Substring, _ width: Int) -> [String] {
        guard DisplayWidth.of(String(line)) > width else { return [String(line)] }
        let start = start(of: line)
        let rest = line[start.endIndex...]
        let pieces = start.lowercased().hasPrefix("usage: ") ? words(rest) : pieces(rest)
        let column = DisplayWidth.of(String(start))
        let margin = start.prefix { $0 == " " }.count
        let name = start.lastIndex { $0 != " " }.map { String(start[...$0]) }
        let indent = name == nil ? min(margin, Self.deepest) : margin + 4
        // A path that fits the window only there goes below its name as well.
        let widest = pieces.map { DisplayWidth.of(String($0)) }.max() ?? 0
        let fitsBelow = start.hasSuffix("  ") && widest > width - column && widest <= width - indent
        guard width - column < Self.narrowest || fitsBelow else {
            let hanging = line.hasPrefix("\(setup.speaker): ") ? 2 : 0
            return WordWrap.lines(of: pieces, after: String(start), width: width, hanging: column + hanging)
        }
        let below = WordWrap.lines(
            of: pieces, after: String(repeating: " ", count: indent), width: width, hanging: indent)
        return (name.map { [$0] } ?? []) + below
    }

    /// What the lines below begin under: a name and the gap behind it, a word that says what the line is, a margin.
    private func start(of line: Substring) -> Substring {
        let ends = line.matches(of: #/\S {2,}(?=\S)/#).map(\.range.upperBound)
        if let end = ends.last(where: { DisplayWidth.of(String(line[..<$0])) <= Self.widestName }) {
            return line[..<end]
        }
        // An option of help whose name fills its column.
        if let option = line.prefixMatch(of: #/ +--?\S+ <[^>]+> (?=\S)/#) {
            return line[..<option.range.upperBound]
        }
        let end = line.prefixMatch(of: #/ *(?:hint: |USAGE: |Usage: |- )?/#)?.range.upperBound
        return line[..<(end ?? line.startIndex)]
    }

    /// Words; command lines, and options with their values in a synopsis, stay whole.
    private func pieces(_ text: Substring) -> [Substring] {
        guard !text.hasPrefix("\(setup.command) ") else { return [text] }
        if let pasted = text.firstRange(of: ", run: ") ?? text.firstRange(of: ": \(setup.command) ") {
            let command = text[pasted.lowerBound...].firstRange(of: ": ")?.upperBound ?? text.endIndex
            return words(text[..<text.index(before: command)]) + [text[command...]]
        }
        return words(text)
    }

    private func words(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        var open: (start: Substring.Index, end: Character)?
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let (start, end) = open {
                guard word.contains(end) else { continue }
                words.append(text[start..<word.endIndex])
                open = nil
            } else if let end = closing(word) {
                open = (word.startIndex, end)
            } else {
                words.append(word)
            }
        }
        if let open { words += text[open.start...].split(separator: " ") }
        return words
    }

    /// What ends something that begins in a word and does not end there.
    private func closing(_ word: Substring) -> Character? {
        if word.hasPrefix("["), !word.contains("]") { return "]" }
        guard let quote = word.firstIndex(of: "'"), word[quote...].hasPrefix("'\(setup.command)") else {
            return nil
        }
        return word[word.index(after: quote)...].contains("'") ? nil : "'"
    }
}
