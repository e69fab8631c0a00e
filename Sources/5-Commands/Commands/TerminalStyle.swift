import Foundation

/// What the user's terminal is to get beside text, by the conventions of other programs: `NO_COLOR` (no-color.org),
/// `CLICOLOR_FORCE`, `COLUMNS` and `TERM=dumb`.
struct TerminalStyle {
    /// Whether lines may have colors.
    let usesColor: Bool
    /// Whether the user wants none in any case.
    let refusesColor: Bool
    /// Whether a line may be drawn over.
    let redraws: Bool
    /// The width that the user wants in place of the terminal's own.
    let columns: Int?

    /// - Parameters:
    ///   - isTerminal: whether the stream is connected to one.
    ///   - environment: the variables of this process.
    init(isTerminal: Bool, environment: [String: String]) {
        func isSet(_ name: String) -> Bool { !environment[name, default: ""].isEmpty }
        let isForced = isSet("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0"
        let isDumb = environment["TERM"] == "dumb"
        redraws = isTerminal && !isDumb
        columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        refusesColor = isSet("NO_COLOR")
        usesColor = !refusesColor && (isForced || redraws)
    }

    /// That of standard error.
    static let ofErrors = TerminalStyle(
        isTerminal: StandardStreams.errorIsTerminal, environment: ProcessInfo.processInfo.environment)

    /// A line with the words that say what kind it is in color.
    func line(_ text: String) -> String {
        guard usesColor else { return text }
        for (word, color) in [("hint:", 36), ("warning:", 33)] {
            guard let found = text.range(of: word),
                text[..<found.lowerBound].isEmpty || text[..<found.lowerBound].hasSuffix("valise: ")
            else { continue }
            return text.replacingCharacters(in: found, with: "\u{1b}[\(color)m\(word)\u{1b}[0m")
        }
        return text
    }
}
