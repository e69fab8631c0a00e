/// Makes visible what would change how a text is shown and is not seen itself.
enum VisibleText {
    /// Controls become their pictures, marks that override a direction become words. Marks that isolate a direction stay
    /// where they come in pairs, as programs put them around names.
    static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: isSuspect) else { return text }
        let keepsIsolates = hasPairedIsolates(scalars)
        var visible = String.UnicodeScalarView()
        for scalar in scalars {
            if let word = word(scalar, keepsIsolates) {
                visible.append(contentsOf: word.unicodeScalars)
            } else {
                visible.append(picture(scalar))
            }
        }
        return String(visible)
    }

    private static func isSuspect(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10: false
        case 0..<32, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    private static func picture(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 9, 10: scalar
        case 0..<32: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
        default: scalar
        }
    }

    /// Nil where it is shown as it is.
    private static func word(_ scalar: Unicode.Scalar, _ keepsIsolates: Bool) -> String? {
        switch scalar.value {
        case 0x202A: "[LRE]"
        case 0x202B: "[RLE]"
        case 0x202C: "[PDF]"
        case 0x202D: "[LRO]"
        case 0x202E: "[RLO]"
        case 0x2066 where !keepsIsolates: "[LRI]"
        case 0x2067 where !keepsIsolates: "[RLI]"
        case 0x2068 where !keepsIsolates: "[FSI]"
        case 0x2069 where !keepsIsolates: "[PDI]"
        default: nil
        }
    }

    /// Whether each mark that isolates is closed in its line: otherwise one could close the isolation around the text.
    private static func hasPairedIsolates(_ scalars: String.UnicodeScalarView) -> Bool {
        var depth = 0
        for scalar in scalars {
            switch scalar.value {
            case 0x2066...0x2068: depth += 1
            case 0x2069: depth -= 1
            case 10 where depth != 0: return false
            default: break
            }
            if depth < 0 { return false }
        }
        return depth == 0
    }
}
