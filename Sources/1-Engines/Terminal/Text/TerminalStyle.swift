/// What the user's terminal is to get beside text, by the conventions of other programs: `NO_COLOR` (no-color.org),
/// `CLICOLOR_FORCE`, `COLUMNS` and `TERM=dumb`.
package struct TerminalStyle: Sendable {
    /// Whether lines may have colors.
    package let usesColor: Bool
    /// Whether the user wants none in any case.
    package let refusesColor: Bool
    /// Whether a line may be drawn over.
    package let redraws: Bool
    /// The width that the user wants in place of the terminal's own.
    package let columns: Int?

    /// - Parameters:
    ///   - isTerminal: whether the stream is connected to one.
    ///   - variable: a variable of the environment; nil for an empty one too.
    package init(isTerminal: Bool, variable: (String) -> String?) {
        let isForced = variable("CLICOLOR_FORCE").map { $0 != "0" } ?? false
        let isDumb = variable("TERM") == "dumb"
        redraws = isTerminal && !isDumb
        columns = variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        refusesColor = variable("NO_COLOR") != nil
        usesColor = !refusesColor && (isForced || redraws)
    }

    /// That of standard error.
    package static var ofErrors: TerminalStyle { TerminalSetup.current.style }

    /// A line with the words that say what kind it is in color.
    /// - Parameter speaker: what messages begin with.
    func line(_ text: String, of speaker: String) -> String {
        guard usesColor else { return text }
        for (word, color) in [("hint:", 36), ("warning:", 33)] {
            guard let found = text.firstRange(of: word),
                text[..<found.lowerBound].allSatisfy({ $0 == " " })
                    || text[..<found.lowerBound].hasSuffix("\(speaker): ")
            else { continue }
            return text[..<found.lowerBound] + "\u{1b}[\(color)m\(word)\u{1b}[0m" + text[found.upperBound...]
        }
        return text
    }

    /// Lines, each of them as by ``line(_:of:)``.
    func lines(_ text: String, of speaker: String) -> String {
        guard usesColor else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line(String($0), of: speaker) }.joined(separator: "\n")
    }

    /// A line in the colors that the terminal has.
    static func withoutColors(_ line: String) -> String {
        line.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
    }
}
