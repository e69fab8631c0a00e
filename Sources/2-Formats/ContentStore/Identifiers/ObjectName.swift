/// The name of a chunk or a manifest in its folder.
///
/// What we write is a digest. What is read may be any single component of a key, which the digest of the bytes then differs
/// from; and hundreds of thousands of names are in memory.
package enum ObjectName: Hashable, Sendable {
    case digest(ContentDigest)
    /// Never 64 hexadecimal digits in lower case.
    case other(String)

    /// The most bytes of a name.
    private static let mostBytes = 255

    /// - Parameter text: nil for what could lead out of the folder: nothing, `.`, `..`, a slash of either direction, blanks
    ///   around it, control characters.
    package init?(_ text: String) {
        if let digest = ContentDigest(text: text) {
            self = .digest(digest)
            return
        }
        guard !text.isEmpty, text.utf8.count <= Self.mostBytes, text != ".", text != "..",
            !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }),
            text.unicodeScalars.first?.properties.isWhitespace == false,
            text.unicodeScalars.last?.properties.isWhitespace == false,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self = .other(text)
    }

    package var text: String {
        switch self {
        case .digest(let digest): digest.text
        case .other(let text): text
        }
    }

    /// The digest that it is; nil for another name.
    package var digest: ContentDigest? {
        if case .digest(let digest) = self { digest } else { nil }
    }
}

extension ObjectName: CustomStringConvertible {
    package var description: String { text }
}
