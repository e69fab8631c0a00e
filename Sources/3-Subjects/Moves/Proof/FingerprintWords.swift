import ValiseCryptography
import ValiseEncoding
import ValiseFailures

/// Eight fingerprint words for comparing the account on both machines: the first 64 bits of a digest of its
/// `AccountProof`.
public struct FingerprintWords: Equatable, Hashable, Sendable, CustomStringConvertible {
    /// From `list`.
    public let words: [String]

    /// How many there are.
    package static let count = 8
    /// In bytes: nobody types as much.
    private static let longestText = 1024
    /// In letters: two more than the longest word.
    private static let longestResembling = 9
    /// In letters: more of a word is not repeated.
    private static let longestShown = 32

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
    /// - Throws: ``DeviceMigrationError`` with `invalidWords`, which names the expected number of words where it is another,
    ///   and the first invalid word with the one that it resembles.
    package init(parsing text: String) throws(DeviceMigrationError) {
        guard text.utf8.count <= Self.longestText else {
            throw DeviceMigrationError(.invalidWords, "too long for \(Self.count) fingerprint words")
        }
        let typed = text.lowercased().split { !$0.isLetter }
        let words = typed.map { Self.word(String($0)) }
        let wrong = words.firstIndex(of: nil)
        guard wrong == nil, words.count == Self.count else {
            throw Self.invalid(typed.count, wrong: wrong.map { (place: $0, typed: String(typed[$0])) })
        }
        self.words = words.compactMap { $0 }
    }

    /// Parses words as a user types them, in upper or lower case; the first four letters of a word are enough.
    ///
    /// - Parameter text: the words, separated by anything but letters.
    /// - Throws: a `Failure` with `invalid`, which names the first invalid word.
    public init(_ text: String) throws {
        try self.init(parsing: text)
    }

    /// - Parameters:
    ///   - count: how many were typed.
    ///   - wrong: the first that is none, and its place from 0.
    private static func invalid(_ count: Int, wrong: (place: Int, typed: String)?) -> DeviceMigrationError {
        var sentences: [String] = []
        var isClear = count == Self.count
        if !isClear {
            sentences.append("expected \(Self.count) fingerprint words, got \(count)")
        }
        if let wrong {
            let word = sentences.isEmpty ? "word" : "Word"
            let typed = wrong.typed.prefix(longestShown)
            sentences.append("\(word) \(wrong.place + 1) ('\(typed)') is not a fingerprint word")
            if let proposal = nearest(wrong.typed) {
                sentences.append("Did you mean '\(proposal)'?")
            } else {
                isClear = false
            }
        }
        // A typed word is no subject: an error that begins with it does not say what it is about.
        return DeviceMigrationError(
            .invalidWords, sentences.asSentences, remedy: isClear ? nil : .enterShownWords)
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

    /// The one word that a misspelled one resembles, whole or by its first letters; nil for none or several.
    private static func nearest(_ typed: String) -> String? {
        guard typed.count <= longestResembling else { return nil }
        let distances = list.map { word in
            min(
                EditDistance.between(typed, word),
                EditDistance.between(typed, String(word.prefix(tellingLetters))))
        }
        guard let least = distances.min(), least <= (typed.count > tellingLetters ? 2 : 1),
            distances.count(where: { $0 == least }) == 1
        else { return nil }
        return distances.firstIndex(of: least).map { list[$0] }
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
