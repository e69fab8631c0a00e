/// Whether a text can have a format at all, by its bytes: most texts have none, and nothing needs to be made of them.
enum FormatMarks {
    /// False is certain: ``FormattedTextParser`` finds nothing, and no command is there.
    ///
    /// A format begins where a word does, or is a word with an address in it. So a period counts only before a letter, and
    /// a slash only behind what can be a scheme, or as the first character behind white space.
    static func mayFormat(_ text: some Sequence<UInt8>) -> Bool {
        var previous = UInt8(ascii: " ")
        for byte in text {
            switch byte {
            case UInt8(ascii: "@"): return true
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"),
                UInt8(ascii: "#"),
                UInt8(ascii: "!"), UInt8(ascii: "["), UInt8(ascii: "+"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                if previous == UInt8(ascii: " ") || previous == UInt8(ascii: "\n") { return true }
            case UInt8(ascii: "/"):
                // White space of other alphabets is not told from letters here.
                if previous <= 32 || previous >= 127 || previous == UInt8(ascii: ":") { return true }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if previous == UInt8(ascii: ".") { return true }
            default: break
            }
            previous = byte
        }
        return false
    }
}
