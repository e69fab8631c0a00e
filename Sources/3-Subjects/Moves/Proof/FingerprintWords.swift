import ValiseCryptography

/// Eight fingerprint words for comparing the account on both machines: the first 64 bits of a digest of its
/// `AccountProof`.
public struct FingerprintWords: Equatable, Hashable, Sendable, CustomStringConvertible {
    /// From `list`.
    public let words: [String]

    /// How many there are.
    package static let count = 8
    /// In bytes: nobody types as much.
    private static let longestText = 1024

    /// Of a proof.
    init(_ proof: AccountProof) {
        var hash = SHA256()
        for part in [Array("valise move proof 1".utf8), proof.chat, proof.agent, proof.media] {
            unsafe part.withUnsafeBytes { unsafe hash.update($0) }
        }
        words = hash.finalize().prefix(Self.count).map { Self.list[Int($0)] }
    }

    /// Parses words in upper or lower case, separated by anything but letters. The first four letters of a word are
    /// enough; further letters must be correct.
    ///
    /// - Throws: ``DeviceMigrationError`` with `invalidWords`, which names the first invalid word or the expected number
    ///   of words.
    public init(parsing text: String) throws(DeviceMigrationError) {
        guard text.utf8.count <= Self.longestText else {
            throw DeviceMigrationError(.invalidWords, "too long for \(Self.count) fingerprint words")
        }
        let typed = text.lowercased().split { !$0.isLetter }
        var words: [String] = []
        for (index, word) in typed.enumerated() {
            guard let found = Self.word(String(word)) else {
                throw DeviceMigrationError(
                    .invalidWords,
                    "word \(index + 1) is not a fingerprint word. Check the spelling.",
                    subject: String(word.prefix(32)))
            }
            words.append(found)
        }
        guard words.count == Self.count else {
            throw DeviceMigrationError(
                .invalidWords,
                "expected \(Self.count) fingerprint words, got \(words.count). Enter all words that the "
                    + "other machine shows.")
        }
        self.words = words
    }

    /// The words separated by spaces, as they are stored.
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

extension FingerprintWords: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
