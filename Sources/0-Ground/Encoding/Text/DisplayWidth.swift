/// How many columns of a terminal a text takes.
package enum DisplayWidth {
    /// - Parameter text: may have colors, which take no column.
    package static func of(_ text: String) -> Int {
        guard !text.utf8.contains(0x1B) else { return of(withoutColors(text)) }
        return text.utf8.allSatisfy { $0 < 128 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Without what is between an escape and an `m`.
    private static func withoutColors(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var isColor = false
        for scalar in text.unicodeScalars {
            if isColor {
                isColor = scalar != "m"
            } else if scalar == "\u{1B}" {
                isColor = true
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        // A sequence that asks for its picture, such as a heart with the variation selector.
        if character.unicodeScalars.contains("\u{fe0f}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(first) ? 2 : 1
        }
    }

    /// East Asian wide and full-width letters, and what is shown as a picture (Unicode TR11, TR51).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
            0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
            return true
        default: return false
        }
    }

    /// The beginning of a text with an ellipsis, padded to exactly `width`.
    package static func cut(_ text: String, to width: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            let next = of(character)
            guard used + next <= width - 1 else { break }
            result.append(character)
            used += next
        }
        return result + "…" + String(repeating: " ", count: max(0, width - 1 - used))
    }
}
