/// Puts a remedy into words of whoever shows it: whole sentences, such as `Close that program first.`; nil for none.
package typealias RemedyWords = @Sendable (Remedy) -> String?

/// A sentence of a report, with the remedy for what it says.
public struct Remark: Sendable, Hashable {
    /// Starts in lower case. It names no command and no option.
    public let sentence: String
    public let remedy: Remedy?

    package init(_ sentence: String, remedy: Remedy? = nil) {
        self.sentence = sentence
        self.remedy = remedy
    }

    /// What a failure says, for a report that goes on without what failed.
    package init(_ failure: some Failure) {
        self.init(failure.message, remedy: failure.remedy)
    }

    /// The sentence, and the words for its remedy.
    package func text(_ words: RemedyWords) -> String {
        [sentence, remedy.flatMap(words) ?? ""].asSentences
    }
}

extension [String] {
    /// One paragraph: a full stop ends each part before another one, but a question. Empty parts are left out.
    package var asSentences: String {
        reduce("") { text, next in
            if text.isEmpty || next.isEmpty { return text + next }
            return text + (text.hasSuffix(".") || text.hasSuffix("?") ? " " : ". ") + next
        }
    }
}

extension Remark: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(value) }
}

extension CodingUserInfoKey {
    /// An encoder's ``RemedyWords``; without them the sentences of a report stand alone.
    package static let remedyWords = CodingUserInfoKey(rawValue: "valise.remedyWords")!
}

/// A string: the sentence, and the words for its remedy where the encoder has them.
extension Remark: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        let words = encoder.userInfo[.remedyWords] as? RemedyWords
        var container = encoder.singleValueContainer()
        try container.encode(words.map { text($0) } ?? sentence)
    }
}
