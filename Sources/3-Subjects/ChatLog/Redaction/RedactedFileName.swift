/// Names of files, of which only the ending stays.
enum RedactedFileName {
    private static let longestEnding = 5

    /// A name without its ending, and the ending with its dot; empty where it has none.
    static func parts(of name: String) -> (stem: String, ending: String) {
        let scalars = name.unicodeScalars
        guard let dot = scalars.lastIndex(of: ".") else { return (name, "") }
        let ending = scalars[scalars.index(after: dot)...]
        guard (1...longestEnding).contains(ending.count), ending.allSatisfy(\.isASCIILetterOrDigit) else {
            return (name, "")
        }
        return (String(scalars[..<dot]), String(scalars[dot...]))
    }

    /// What a name becomes.
    static func of(_ name: String) -> String { "file\(parts(of: name).ending)" }

    private static let types: Set = ["image", "video", "voice", "file"]

    /// The quote of a picture or a file without words has the name of the file in their place.
    /// - Returns: nil for what is no name of a file.
    static func of(text: String, messageType: String?) -> String? {
        guard let messageType, types.contains(messageType) else { return nil }
        let (stem, ending) = parts(of: text)
        return ending.isEmpty || stem.isEmpty || stem.contains("\n") ? nil : "file\(ending)"
    }
}
