/// Texts as templates can have them.
///
/// The library of templates escapes by characters as people see them: a quotation mark with an accent on it is another character
/// for it than a quotation mark, and stays as it is. A browser takes the mark alone and ends the attribute. So both are taken
/// apart before.
enum TemplateText {
    private static let special: Set<Unicode.Scalar> = ["<", ">", "&", "\"", "'"]
    /// What a mark stands on that has no letter.
    private static let base: Unicode.Scalar = "\u{25CC}"

    /// A text in which no mark of HTML is a part of a longer character.
    static func separated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        var separated = String.UnicodeScalarView()
        for character in text {
            let scalars = character.unicodeScalars
            guard scalars.count > 1, scalars.contains(where: special.contains) else {
                separated.append(contentsOf: scalars)
                continue
            }
            for (place, scalar) in scalars.enumerated() {
                if place > 0 { separated.append(base) }
                separated.append(scalar)
            }
        }
        return String(separated)
    }

    /// The same for all texts in the values of a template.
    static func separated(in value: Any) -> Any {
        switch value {
        case let text as String: separated(text)
        case let list as [Any]: list.map { separated(in: $0) }
        case let values as [String: Any]: values.mapValues { separated(in: $0) }
        default: value
        }
    }
}
