import Fuzzing
import ValiseChatSchema

/// Texts of messages with their formats.
enum MarkdownFuzzing {
    static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let formatted = FormattedText(text)
        let shown = formatted.parts.map(\.text).joined()
        FuzzRun.require(formatted == FormattedText(text), "a text is parsed as the same again")
        if formatted.isUnformatted {
            FuzzRun.require(shown.utf8.elementsEqual(text.utf8), "a text without formats is shown as it is")
        }
        FuzzRun.require(
            formatted.parts.allSatisfy { !$0.text.isEmpty }, "no part is empty: \(formatted.parts)")
        FuzzRun.require(
            zip(formatted.parts, formatted.parts.dropFirst()).allSatisfy { $0.format != $1.format },
            "neighbors have different formats: \(formatted.parts)")
        FuzzRun.require(
            FormattedText(formatted.markup) == formatted, "what is typed for the parts gives the parts")
        requireWhole(shown, of: text)
    }

    /// What is shown is the text without some delimiters, in its order.
    private static func requireWhole(_ shown: String, of text: String) {
        var rest = shown.unicodeScalars[...]
        for scalar in text.unicodeScalars {
            if rest.first == scalar {
                rest.removeFirst()
            } else {
                FuzzRun.require(isDelimiter(scalar), "\(scalar.debugDescription) is not shown of the text")
            }
        }
        FuzzRun.require(rest.isEmpty, "something is shown that is not in the text: \(String(rest))")
    }

    /// Of bold, italic, strikethrough, code and secrets; the end of the last line; and what names a color.
    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        "*_~`#!-123456redgreenblueyellowcyanmagenta".unicodeScalars.contains(scalar)
            || scalar.properties.isWhitespace
    }
}
