/// A word of a text, or a character that is no part of one.
struct TextToken: Equatable {
    /// Where it is in the text.
    let range: Range<String.Index>
    /// Without case, so that two of them can be compared; a space for white space.
    let folded: String
    /// Whether it is made of letters and numbers.
    let isWord: Bool

    /// Whether it is white space.
    var isSpace: Bool { folded == " " }
}

/// Divides texts into words. A word ends where no letter, mark or number follows; characters of scripts without spaces are
/// words of their own. What cannot be seen is as if it were not there.
enum TextTokens {
    private enum Kind { case letter, single, space, other, invisible }

    /// The tokens of a text in their order.
    static func of(_ text: Substring) -> [TextToken] {
        var tokens: [TextToken] = []
        let scalars = text.unicodeScalars
        var place = scalars.startIndex
        while place < scalars.endIndex {
            let kind = kind(of: scalars[place])
            var end = scalars.index(after: place)
            if kind == .letter || kind == .space {
                while end < scalars.endIndex, goesOn(kind, self.kind(of: scalars[end])) {
                    scalars.formIndex(after: &end)
                }
            }
            if kind != .invisible {
                let folded = kind == .space ? " " : folded(scalars[place..<end])
                tokens.append(
                    TextToken(
                        range: place..<end, folded: folded, isWord: kind == .letter || kind == .single))
            }
            place = end
        }
        return tokens
    }

    private static func goesOn(_ kind: Kind, _ next: Kind) -> Bool {
        next == kind || next == .invisible
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 128 {
            if scalar.isASCIILetterOrDigit { return .letter }
            return scalar.value == 32 || (9...13).contains(scalar.value) ? .space : .other
        }
        // Words end there, though nobody sees it.
        if scalar.value == 0x200B { return .space }
        // They only choose how the character before them is drawn.
        if (0xFE00...0xFE0F).contains(scalar.value) { return .invisible }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            return FoldedScalars.hasNoSpaces(scalar.value) ? .single : .letter
        case .format: return .invisible
        default: return scalar.properties.isWhitespace ? .space : .other
        }
    }

    private static func folded(_ scalars: Substring.UnicodeScalarView) -> String {
        if scalars.allSatisfy(\.isASCII) { return String(scalars).lowercased() }
        let visible = String(String.UnicodeScalarView(scalars.filter { kind(of: $0) != .invisible }))
        // The two small sigmas have one capital.
        return String(
            String.UnicodeScalarView(
                visible.lowercased().unicodeScalars.map { $0 == "\u{3C2}" ? "\u{3C3}" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter or a digit of ASCII.
    var isASCIILetterOrDigit: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }
}
