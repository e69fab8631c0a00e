/// Kinds of characters that the rules of formats speak of. Those of ASCII are told without the tables of Unicode.
extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// Of ASCII.
    var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// White space of any alphabet.
    var isSpace: Bool {
        value < 128 ? value == 32 || (9...13).contains(value) : properties.isWhitespace
    }

    /// A digit or a number of any alphabet.
    var isNumber: Bool {
        switch properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: true
        default: false
        }
    }

    /// Of a Unicode category P.
    var isPunctuation: Bool {
        if value < 128 {
            return switch self {
            case "!", "\"", "#", "%", "&", "'", "(", ")", "*", ",", "-", ".", "/", ":", ";", "?", "@", "[",
                "\\", "]",
                "_", "{", "}":
                true
            default: false
            }
        }
        return switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }

    /// Of a SimpleX name: letters of any alphabet but accented ones of Latin, and digits.
    var isOfName: Bool {
        value < 128
            ? isDigit || isLetter : properties.isAlphabetic && !("\u{C0}"..."\u{24F}").contains(self)
    }
}
