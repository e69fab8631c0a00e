/// Fields of comma-separated values, RFC 4180.
package enum CSVField {
    /// A field; in quotes where it needs them, and where it is empty text, which is not the same as nothing.
    package static func text(_ text: String) -> String {
        let asksForQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard asksForQuotes || text.isEmpty || text.first == " " || text.last == " " else { return text }
        var doubled = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" { doubled.append(scalar) }
            doubled.append(scalar)
        }
        return "\"\(String(doubled))\""
    }
}
