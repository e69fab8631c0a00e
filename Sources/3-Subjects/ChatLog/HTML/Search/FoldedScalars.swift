/// What characters are for the search: letters without case and accents, words of their own, or what separates words.
///
/// Pages do the same to what is searched with a table of the characters that occurred (``script``), so both always agree.
struct FoldedScalars {
    /// What a character is.
    enum Fold: Equatable {
        case separator
        /// As if it were not there.
        case dropped
        /// A word of its own, such as an emoji or a character of a script without spaces.
        case single
        /// Its letters as UTF-8.
        case letters([UInt8])
    }

    private var known: [UInt32: Fold] = [:]

    /// - Parameter scalar: none of ASCII.
    mutating func fold(_ scalar: Unicode.Scalar) -> Fold {
        if let fold = known[scalar.value] { return fold }
        let fold = Self.fold(scalar)
        known[scalar.value] = fold
        guard case .letters(let letters) = fold else { return fold }
        // What is searched for may have them where the text has capitals only.
        for letter in String(decoding: letters, as: UTF8.self).unicodeScalars
        where !letter.isASCII && known[letter.value] == nil {
            known[letter.value] = Self.fold(letter)
        }
        return fold
    }

    private static func fold(_ scalar: Unicode.Scalar) -> Fold {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .modifierSymbol: return .dropped
        case .otherSymbol: return .single
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            if hasNoSpaces(scalar.value) { return .single }
            let lower = properties.lowercaseMapping.unicodeScalars.filter {
                $0.properties.generalCategory != .nonspacingMark
            }
            return .letters(lower.flatMap { AccentTable.letters[$0.value] ?? Array(String($0).utf8) })
        default: return .separator
        }
    }

    /// Whether the script has no spaces between words: Thai, Lao, Burmese, Khmer, and those of East Asia but Hangul.
    static func hasNoSpaces(_ value: UInt32) -> Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x312F, 0x31A0...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// The table for pages: an object of JavaScript with the characters that occurred and are no separators.
    var script: String {
        var (dropped, single, same) = (String(), String(), String())
        var changed: [String] = []
        for (value, fold) in known.sorted(by: { $0.key < $1.key }) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch fold {
            case .separator: break
            case .dropped: dropped.unicodeScalars.append(scalar)
            case .single: single.unicodeScalars.append(scalar)
            case .letters(let letters):
                let text = String(decoding: letters, as: UTF8.self)
                if text.unicodeScalars.elementsEqual([scalar]) {
                    same.unicodeScalars.append(scalar)
                } else {
                    changed += [String(scalar), text]
                }
            }
        }
        let pairs = changed.map(JavaScriptText.quoted).joined(separator: ",")
        return "{dropped:\(JavaScriptText.quoted(dropped)),single:\(JavaScriptText.quoted(single)),"
            + "same:\(JavaScriptText.quoted(same)),changed:[\(pairs)]}"
    }
}
