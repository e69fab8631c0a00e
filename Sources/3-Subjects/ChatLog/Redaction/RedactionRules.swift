extension ChatRedaction {
    /// What is wrong with a file of rules.
    package struct Defect: Error, Equatable {
        /// From 1.
        package let line: Int
        package let message: String
    }

    /// Reads rules: one a line, see Documentation/formats/redaction-rules.md.
    /// - Throws: ``Defect`` for the first line that is no rule.
    package init(rules text: String) throws(Defect) {
        self.init()
        // By bytes: a carriage return and a line feed are one character.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            do throws(RuleDefect) {
                try add(Substring(line))
            } catch {
                throw Defect(line: number + 1, message: error.message)
            }
        }
    }

    private mutating func add(_ line: Substring) throws(RuleDefect) {
        var reader = RuleReader(line)
        guard let first = reader.first, first != "#" else { return }
        if first == "/" {
            let expression = try reader.delimited(by: "/")
            guard !expression.isEmpty, (try? Regex(expression)) != nil else {
                throw RuleDefect("not a regular expression: \(expression)")
            }
            replacements.append(Replacement(.expression(expression), by: try reader.replacement()))
            return
        }
        let word = reader.word()
        if word == "text" {
            guard reader.first == "\"" else { throw RuleDefect("text in quotation marks is missing") }
            let text = try reader.delimited(by: "\"")
            guard !TextTokens.of(text[...]).allSatisfy(\.isSpace) else {
                throw RuleDefect("the text is empty")
            }
            replacements.append(Replacement(.words(text), by: try reader.replacement()))
            return
        }
        guard let found = Self.categories(named: word) else { throw RuleDefect("not a rule: \(word)") }
        try reader.end()
        categories.formUnion(found)
    }

    /// The categories of a word, or all of them for `all`; nil for another word.
    package static func categories(named word: String) -> Set<Category>? {
        word == "all" ? Set(Category.allCases) : Category(rawValue: word).map { [$0] }
    }
}

private struct RuleDefect: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Reads one rule from left to right.
private struct RuleReader {
    private var rest: Substring.UnicodeScalarView

    init(_ line: Substring) {
        rest = line.unicodeScalars
        skipSpace()
    }

    /// What comes next; nil at the end.
    var first: Unicode.Scalar? { rest.first }

    private mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

    /// Up to the next space.
    mutating func word() -> String {
        let word = rest.prefix { !$0.properties.isWhitespace }
        rest = rest[word.endIndex...]
        skipSpace()
        return String(word)
    }

    /// What is between two delimiters. Behind a backslash the delimiter and, in texts, a backslash stand for themselves.
    mutating func delimited(by delimiter: Unicode.Scalar) throws(RuleDefect) -> String {
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == delimiter {
                skipSpace()
                return String(text)
            }
            if scalar == "\\", let next = rest.first {
                let isEscaped = next == delimiter || delimiter == "\"" && next == "\\"
                if !isEscaped { text.append(scalar) }
                text.append(next)
                rest.removeFirst()
            } else {
                text.append(scalar)
            }
        }
        throw RuleDefect("there is no closing \(delimiter)")
    }

    /// What comes behind an arrow, if there is one, and nothing else.
    mutating func replacement() throws(RuleDefect) -> String {
        guard !rest.isEmpty else { return ChatRedaction.removed }
        guard word() == "->", first == "\"" else {
            throw RuleDefect("-> and a text in quotation marks are missing")
        }
        let text = try delimited(by: "\"")
        try end()
        return text
    }

    func end() throws(RuleDefect) {
        guard rest.isEmpty else { throw RuleDefect("more than one rule on a line") }
    }
}
