/// Text of pages: alphabets and references of characters.
enum HTMLText {
    /// - Parameter isUTF8: nil where nobody said: then it is, if it can be.
    static func decode(_ bytes: [UInt8], isUTF8: Bool?) -> String {
        let text: String
        if isUTF8 != false, let valid = String(validating: bytes, as: UTF8.self) {
            text = valid
        } else if isUTF8 == true {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        return text.utf8.contains(UInt8(ascii: "&")) ? resolve(text) : text
    }

    private static let names: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
        "middot": "·",
        "bull": "•", "copy": "©", "reg": "®", "trade": "™", "euro": "€", "pound": "£", "auml": "ä",
        "ouml": "ö", "uuml": "ü",
        "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç",
    ]
    private static let longestName = 10

    /// What is no reference stays.
    private static func resolve(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let name = rest[rest.index(after: start)...].prefix(longestName)
            if let end = name.firstIndex(of: ";"), let scalar = scalar(name[..<end]) {
                result.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
                rest = rest[rest.index(after: start)...]
            }
        }
        return result + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return names[name] }
        let digits = name.dropFirst()
        let value =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init)
    }
}
