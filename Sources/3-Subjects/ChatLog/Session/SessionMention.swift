/// A name behind an `@`, in quotes where it has more than letters and digits, or where its end would not be seen.
struct SessionMention {
    let text: String

    /// - Parameters:
    ///   - name: of who is mentioned.
    ///   - rest: what follows in the text.
    /// - Returns: nil for a name that cannot be written so.
    init?(_ name: String, before rest: Substring) {
        guard let first = name.first, !"#@'".contains(first), !first.isWhitespace,
            !name.contains(where: { $0 == "'" || $0.isNewline })
        else { return nil }
        let isWord = name.allSatisfy { $0.isLetter || $0.isNumber }
        text = isWord && rest.first?.isWhitespace ?? true ? "@\(name)" : "@'\(name)'"
    }
}
