extension Character {
    /// White space alone: a mark on a space is not.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isBlank }), let end = lastIndex(where: { !$0.isBlank })
        else {
            return ""
        }
        return String(self[start...end])
    }
}
