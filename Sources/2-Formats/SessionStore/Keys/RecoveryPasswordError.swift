import ValiseEncoding
package import ValiseFailures

/// What was typed is no recovery password.
///
/// The message names places, never words: it may be logged. What is proposed for a misspelled word is in ``problem``, for a
/// terminal only.
package struct RecoveryPasswordError: Failure {
    /// A word that is none of the list, or only begins as one, with those that it resembles.
    package struct DoubtfulWord: Sendable, Hashable {
        /// From 1.
        package let place: Int
        /// At most three words, the most similar first. Secret as the word that was meant.
        package let nearest: [String]
    }

    package enum Problem: Sendable, Hashable {
        /// There are not 13 words.
        case wordCount(Int)
        /// Words are misspelled, or of another language.
        case unknownWords([DoubtfulWord], RecoveryLanguage)
        /// Each word begins as one of the list, but they do not belong together. Words that end otherwise than that of the
        /// list are doubtful: one of them may be misspelled at its beginning. Without these, a word was exchanged for another,
        /// or two changed places.
        case checksum(doubtful: [DoubtfulWord], RecoveryLanguage)
        /// Three words in a row, from this place on, stand for no number that a recovery password has.
        case impossible(place: Int, RecoveryLanguage)
        /// More bytes than 13 words can have.
        case tooLong
        /// The account's key was not made of 16 bytes, so no recovery password stands for it.
        case noRecoveryPassword
    }

    package let problem: Problem

    init(_ problem: Problem) { self.problem = problem }

    package var code: FailureCode { .invalid }
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    package var message: String {
        switch problem {
        case .wordCount(let count):
            return "a recovery password has \(RecoveryPassword.wordCount) words, not \(count)"
        case .unknownWords(let words, let language):
            return "not in the \(language.name) list: \(Self.places(words)) of the recovery password"
        case .checksum(let doubtful, _):
            guard !doubtful.isEmpty else {
                return "the checksum of the recovery password is wrong: a word was replaced or moved"
            }
            return "the checksum of the recovery password is wrong, and not spelled as in the list: "
                + Self.places(doubtful)
        case .impossible(let place, _):
            return "words \(place) to \(place + 2) of the recovery password cannot follow one another"
        case .tooLong:
            return "too long for a recovery password"
        case .noRecoveryPassword:
            return "the key of the account has no recovery password"
        }
    }

    private static func places(_ words: [DoubtfulWord]) -> String {
        let places = words.map { "\($0.place)" }.joined(separator: ", ")
        return "\(Count.noun(words.count, "word")) \(places)"
    }
}

extension RecoveryLanguage {
    /// In English.
    package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
