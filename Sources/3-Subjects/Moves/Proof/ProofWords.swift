import ValiseCryptography

/// Eight plain words that two people compare: the first 64 bits of a digest of an `AccountProof`.
public struct ProofWords: Equatable, Hashable, Sendable, CustomStringConvertible {
    /// As `list` has them.
    public let words: [String]

    /// How many there are.
    package static let count = 8
    /// In bytes: nobody types as much.
    private static let longestText = 1024

    /// Of a proof.
    init(_ proof: AccountProof) {
        var hash = SHA256()
        for part in [Array("valise move proof 1".utf8), proof.chat, proof.agent, proof.media] {
            part.withUnsafeBytes { hash.update($0) }
        }
        words = hash.finalize().prefix(Self.count).map { Self.list[Int($0)] }
    }

    /// Reads what somebody typed: in any case, with anything but letters between the words. The first four letters of a word
    /// are enough; what is typed of the rest has to be right.
    ///
    /// - Throws: ``DeviceMigrationError`` with `invalidWords`, which names the word that is none, or says how many there
    ///   should be.
    public init(parsing text: String) throws(DeviceMigrationError) {
        guard text.utf8.count <= Self.longestText else {
            throw DeviceMigrationError(.invalidWords, "this is far too long for \(Self.count) proof words")
        }
        let typed = text.lowercased().split { !$0.isLetter }
        var words: [String] = []
        for (index, word) in typed.enumerated() {
            guard let found = Self.word(String(word)) else {
                throw DeviceMigrationError(
                    .invalidWords,
                    "word \(index + 1) of what was typed is none of the proof words; look at it once more",
                    subject: String(word.prefix(32)))
            }
            words.append(found)
        }
        guard words.count == Self.count else {
            throw DeviceMigrationError(
                .invalidWords,
                "the proof has \(Self.count) words, and \(words.count) \(words.count == 1 ? "was" : "were") "
                    + "given; type all that the other machine shows")
        }
        self.words = words
    }

    /// With spaces between them, which is the form in which it is stored too.
    public var description: String { words.joined(separator: " ") }

    /// The words by their first letters.
    private static let byPrefix = Dictionary(
        uniqueKeysWithValues: list.map { ($0.prefix(tellingLetters), $0) })

    /// - Returns: nil for what is no word, nor the beginning of one.
    private static func word(_ typed: String) -> String? {
        guard typed.count >= tellingLetters, let word = byPrefix[typed.prefix(tellingLetters)],
            word.hasPrefix(typed)
        else { return nil }
        return word
    }
}

extension ProofWords: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
