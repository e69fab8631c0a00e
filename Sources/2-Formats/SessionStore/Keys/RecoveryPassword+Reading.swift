package import ValiseSecrets

extension RecoveryPassword {
    /// What was read of words.
    package struct Reading: Sendable {
        package let password: RecoveryPassword
        package let language: RecoveryLanguage
        /// The places from 1 of words that begin as one of the list and end otherwise. Session takes them, so they are taken.
        package let inexact: [Int]
    }

    /// Reads 13 words in upper or lower case, with any space between them. The first letters of a word are enough: three of
    /// English, four of the others.
    ///
    /// - Parameters:
    ///   - text: as it was typed, in UTF-8.
    ///   - language: nil for the one that most words belong to.
    /// - Throws: ``RecoveryPasswordError``, whose problem tells a misspelled word from a wrong checksum; `SecretsError` when no
    ///   guarded memory is available.
    package static func read(
        _ text: borrowing SecretBytes, in language: RecoveryLanguage? = nil
    ) throws -> Reading {
        let phrase = try PhraseText(text)
        guard phrase.words.count == wordCount else {
            throw RecoveryPasswordError(.wordCount(phrase.words.count))
        }
        let languages = language.map { [$0] } ?? RecoveryLanguage.allCases
        let attempts = try languages.map { try SeedWordAttempt(phrase, $0) }
        // The first of the best: English words come before others that begin alike.
        guard let best = attempts.min(by: { $0.rank < $1.rank }) else {
            throw RecoveryPasswordError(.wordCount(0))
        }
        return try best.reading(phrase)
    }
}
