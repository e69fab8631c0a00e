import ValiseEncoding

/// The name of a file as a tree has it: bytes of any kind, quoted as Go's `strconv.Quote` does, without the outer quotes. JSON
/// escapes come on top of it.
///
/// Both ways are exact. What stays as it is are letters, marks, numbers, punctuation, symbols and the space of ASCII, as far as
/// the version of Unicode that Go has knows them. Another version would escape a few of the newest characters, which every
/// reader takes as well; only the blobs would not be those of restic.
package enum NodeName {
    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)
    /// Of Go 1.21 and later, with which restic is built since 0.16.
    private static let unicode: Unicode.Version = (15, 0)

    /// The quoted form, which is UTF-8.
    package static func quote(_ name: [UInt8]) -> [UInt8] {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(name.count)
        var place = 0
        while place < name.count {
            guard let rune = Rune(name, at: place) else {
                append("x", UInt32(name[place]), digits: 2, to: &quoted)
                place += 1
                continue
            }
            if let letter = letter(for: rune.value) {
                quoted += [UInt8(ascii: "\\"), letter]
            } else if isPrintable(rune.value) {
                quoted.append(contentsOf: name[place..<place + rune.size])
            } else if rune.value < 0x20 || rune.value == 0x7f {
                append("x", rune.value, digits: 2, to: &quoted)
            } else if rune.value < 0x1_0000 {
                append("u", rune.value, digits: 4, to: &quoted)
            } else {
                append("U", rune.value, digits: 8, to: &quoted)
            }
            place += rune.size
        }
        return quoted
    }

    private static func append(
        _ kind: Unicode.Scalar, _ value: UInt32, digits count: Int, to quoted: inout [UInt8]
    ) {
        quoted += [UInt8(ascii: "\\"), UInt8(ascii: kind)]
        for place in (0..<count).reversed() {
            quoted.append(digits[Int(value >> UInt32(4 * place) & 15)])
        }
    }

    /// What is behind the backslash for characters that have a letter.
    private static func letter(for value: UInt32) -> UInt8? {
        switch value {
        case 7: UInt8(ascii: "a")
        case 8: UInt8(ascii: "b")
        case 9: UInt8(ascii: "t")
        case 10: UInt8(ascii: "n")
        case 11: UInt8(ascii: "v")
        case 12: UInt8(ascii: "f")
        case 13: UInt8(ascii: "r")
        case 0x22: 0x22
        case 0x5c: 0x5c
        default: nil
        }
    }

    /// As Go's `unicode.IsPrint`.
    static func isPrintable(_ value: UInt32) -> Bool {
        if value < 0x80 { return (0x20..<0x7f).contains(value) }
        guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age <= unicode else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            return true
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse,
            .unassigned:
            return false
        @unknown default: return false
        }
    }
}

extension NodeName {
    /// The bytes of a quoted name.
    /// - Returns: nil for a bare quote, a line break, and what is no escape.
    package static func unquote(_ quoted: [UInt8]) -> [UInt8]? {
        var name: [UInt8] = []
        name.reserveCapacity(quoted.count)
        var place = 0
        while place < quoted.count {
            let byte = quoted[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""), 10: return nil
            case UInt8(ascii: "\\"):
                guard unescape(quoted, &place, to: &name) else { return nil }
            default: name.append(byte)
            }
        }
        return name
    }

    /// - Returns: whether an escape begins behind the backslash.
    private static func unescape(_ quoted: [UInt8], _ place: inout Int, to name: inout [UInt8]) -> Bool {
        guard place < quoted.count else { return false }
        let letter = quoted[place]
        place += 1
        switch letter {
        case UInt8(ascii: "a"): name.append(7)
        case UInt8(ascii: "b"): name.append(8)
        case UInt8(ascii: "t"): name.append(9)
        case UInt8(ascii: "n"): name.append(10)
        case UInt8(ascii: "v"): name.append(11)
        case UInt8(ascii: "f"): name.append(12)
        case UInt8(ascii: "r"): name.append(13)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): name.append(letter)
        case UInt8(ascii: "x"):
            guard let value = number(quoted, &place, digits: 2, radix: 16) else { return false }
            name.append(UInt8(truncatingIfNeeded: value))
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = letter == UInt8(ascii: "u") ? 4 : 8
            guard let value = number(quoted, &place, digits: count, radix: 16),
                let scalar = Unicode.Scalar(value)
            else { return false }
            name.append(contentsOf: String(scalar).utf8)
        // Go takes these too, and writes none.
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            place -= 1
            guard let value = number(quoted, &place, digits: 3, radix: 8), let byte = UInt8(exactly: value)
            else {
                return false
            }
            name.append(byte)
        default: return false
        }
        return true
    }

    private static func number(_ quoted: [UInt8], _ place: inout Int, digits: Int, radix: UInt32) -> UInt32? {
        guard quoted.count - place >= digits else { return nil }
        var value: UInt32 = 0
        for byte in quoted[place..<place + digits] {
            guard let digit = Hexadecimal.value(byte), digit < radix else { return nil }
            value = value << (radix == 16 ? 4 : 3) | UInt32(digit)
        }
        place += digits
        return value
    }
}

extension NodeName {
    /// Whether a name is one of an entry of a folder: not empty, no `.` and `..`, without a slash and a zero byte. Everything
    /// else would reach out of the folder into which a tree is restored.
    package static func isEntry(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name != [0x2e] && name != [0x2e, 0x2e] && !name.contains(0x2f) && !name.contains(0)
    }
}
