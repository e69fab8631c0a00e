/// A text as a user sees it: pieces with one format each. Formats neither nest nor cross lines.
///
/// Nothing of it is stored: the official programs parse the text each time it is shown, also that of older versions.
public struct FormattedText: Sendable, Equatable {
    /// A piece of the text.
    public struct Part: Sendable, Equatable {
        /// Nil for unformatted text.
        public let format: TextFormat?
        /// As it was written, but without delimiters of bold, italic, strikethrough, code, secret, colored and small text.
        public internal(set) var text: String
    }

    /// In the order of the text; none for an empty one.
    public let parts: [Part]

    /// Parses a text. What follows no rule has no format.
    public init(_ text: String) {
        guard FormatMarks.mayFormat(text.utf8) else {
            parts = Self.unformatted(text)
            return
        }
        // By bytes: a carriage return and a line feed are one character.
        let bytes = text.utf8
        let isClosed = bytes.last == UInt8(ascii: "\n")
        let lines = Substring(isClosed ? bytes.dropLast() : bytes[...])
        if let command = Self.command(lines) {
            parts = [Part(format: .command(command), text: String(lines))]
            return
        }
        var parser = FormattedTextParser(lines)
        let parts = parser.parse()
        self.parts = parts.contains { $0.format != nil } ? parts : Self.unformatted(text)
    }

    /// Whether nothing has a format.
    public var isUnformatted: Bool { !parts.contains { $0.format != nil } }

    private static func unformatted(_ text: String) -> [Part] {
        text.isEmpty ? [] : [Part(format: nil, text: text)]
    }

    /// Neighbors with the same format are one part.
    static func append(_ part: Part, to parts: inout [Part]) {
        if let last = parts.indices.last, parts[last].format == part.format {
            parts[last].text += part.text
        } else if !part.text.isEmpty {
            parts.append(part)
        }
    }

    /// A text of one line that begins with `/` is one command. Nil for others.
    private static func command(_ line: Substring) -> String? {
        let start = line.unicodeScalars.drop { $0.isSpace }
        guard start.first == "/", !line.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        let command = start.dropFirst()
        return command.isEmpty ? nil : String(command)
    }
}

/// How a piece of text is shown.
public enum TextFormat: Sendable, Equatable {
    /// Heavier letters.
    case bold
    /// Slanted letters.
    case italic
    /// A line through the letters.
    case strikethrough
    /// Monospace, verbatim.
    case code
    /// Covered until a user asks for it.
    case secret
    /// Small print.
    case small
    /// Letters of a color.
    case colored(TextColor)
    /// An address of the web: the text itself, `https://` where it has no scheme.
    case link
    // Two texts are kept apart: most parts of a long text have none, and all are as large as the largest.

    /// A named address of the web.
    indirect case namedLink(name: String, address: String)
    /// A link of SimpleX; a name where it was given one.
    indirect case simplexLink(name: String?, address: String)
    /// A SimpleX name of a group (`#`) or a contact (`@`).
    case simplexName
    /// A command for a bot, without its `/`.
    case command(String)
    /// The name of a member as the text has it. It is one only where the item has a mention of that name.
    case mention(String)
    /// An address of e-mail.
    case email
    /// The number of a telephone.
    case phone
}

/// A color of text.
public enum TextColor: String, Sendable, CaseIterable {
    /// By the names that may be typed.
    case red, green, blue, yellow, cyan, magenta
}
