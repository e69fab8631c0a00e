/// The letters of the four lists, in the one form that these have: lower case, and composed (Unicode's form C).
///
/// Only what occurs there: full tables would need texts of Swift's, which are no place for secrets.
enum PhraseLetters {
    /// The lower case of a letter of ASCII and of Latin-1.
    static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x41...0x5a, 0xc0...0xd6, 0xd8...0xde: Unicode.Scalar(scalar.value + 0x20) ?? scalar
        default: scalar
        }
    }

    /// A letter with a mark that follows it; nil where the two are no letter of the lists.
    static func composed(_ letter: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        switch mark {
        case "\u{301}": acute[letter]
        case "\u{303}": letter == "n" ? "ñ" : nil
        case "\u{308}": letter == "u" ? "ü" : nil
        // The voiced kana follows its letter, and the half voiced one that.
        case "\u{3099}": isVoiceable(letter.value) ? Unicode.Scalar(letter.value + 1) : nil
        case "\u{309a}": isHalfVoiceable(letter.value) ? Unicode.Scalar(letter.value + 2) : nil
        default: nil
        }
    }

    private static let acute: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "á", "e": "é", "i": "í", "o": "ó", "u": "ú",
    ]

    /// か to と, and は to ほ.
    private static func isVoiceable(_ kana: UInt32) -> Bool {
        switch kana {
        case 0x304b...0x3062: kana % 2 == 1
        case 0x3064...0x3068: kana % 2 == 0
        default: isHalfVoiceable(kana)
        }
    }

    private static func isHalfVoiceable(_ kana: UInt32) -> Bool {
        (0x306f...0x307b).contains(kana) && (kana - 0x306f) % 3 == 0
    }
}
