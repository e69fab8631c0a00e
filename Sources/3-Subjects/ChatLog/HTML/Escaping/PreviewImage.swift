/// Pictures that messages carry as `data:` addresses.
enum PreviewImage {
    /// The apps make at most 14,000 characters; other senders may send more.
    private static let mostCharacters = 100_000
    private static let types = ["png", "jpg", "jpeg", "gif", "webp"]

    /// - Returns: the address; nil where it is none of a picture, or too long.
    static func address(_ text: String?) -> String? {
        guard let text, text.utf8.count <= mostCharacters else { return nil }
        let bytes = text.utf8
        guard let type = types.first(where: { bytes.starts(with: "data:image/\($0);base64,".utf8) }) else {
            return nil
        }
        let content = bytes.dropFirst("data:image/\(type);base64,".utf8.count)
        return !content.isEmpty && isBase64(content) ? text : nil
    }

    /// Browsers complain of anything else. Padding may be missing.
    private static func isBase64(_ content: Substring.UTF8View) -> Bool {
        let digits = content.prefix { $0 != UInt8(ascii: "=") }
        let padding = content.dropFirst(digits.count)
        guard digits.allSatisfy(isDigit), padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return false
        }
        return padding.isEmpty ? digits.count % 4 != 1 : padding.count <= 2 && content.count % 4 == 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
