public import ValiseSecrets

/// Answers the questions of an operation.
public protocol Questions: Sendable {
    /// Asks for a passphrase.
    /// - Returns: nil if nobody can be asked.
    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret?

    /// Asks for a decision.
    /// - Returns: nil if nobody can be asked: what needs consent is refused then.
    func answer(_ question: Question) async throws -> Bool?
}

/// Questions that may be settled before they are asked: a look at what they are about, which may take long, is spared then.
package protocol SettledQuestions: Questions {
    /// Whether the answer to a question that is going to be asked is yes already; false where it has to be asked.
    /// - Parameter question: without what only the look tells.
    /// - Throws: what the answer would throw where it is known that nobody can be asked.
    func isAgreed(before question: Question) throws -> Bool
}

extension Questions {
    /// Asks for consent.
    /// - Parameter unasked: what is thrown where nobody can be asked.
    /// - Throws: ``OperationError``: for no, that of every declined question; `unasked`.
    func require(_ question: Question, unasked: OperationError) async throws {
        guard let answer = try await answer(question) else { throw unasked }
        guard answer else { throw OperationError.declined }
    }

    /// As ``SettledQuestions/isAgreed(before:)``; false for questions of which nothing is known before.
    func areSettled(before question: Question) throws -> Bool {
        guard let settled = self as? any SettledQuestions else { return false }
        return try settled.isAgreed(before: question)
    }
}

/// Answers no questions.
package struct NoAnswers: Questions {
    /// Creates it.
    package init() {}

    package func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }
    package func answer(_ question: Question) async throws -> Bool? { nil }
}

/// A request for a passphrase.
public struct PassphraseRequest: Sendable {
    /// What is asked for.
    package enum Wanted: Sendable {
        /// Of an account or a file.
        case passphrase
        /// The key and nonce of an encrypted file: JSON, or `key=… nonce=…`.
        case fileKey
        /// Of a repository of backups.
        case repositoryPassword
        /// From which the key of a store is derived.
        case storePassphrase
        /// The words from which the key of a store is derived.
        case recoveryPhrase
        /// Of a profile or a backup of Session.
        case sessionPassword
        /// Of the database of Session iOS: 96 hexadecimal digits.
        case databaseKey
        /// The recovery password of an account of Session: 13 words.
        case recoveryPassword
        /// What a recovery password stands for: 32 hexadecimal digits.
        case recoverySeed
    }

    /// What it opens, such as an account folder.
    public let name: String
    /// The attempt, from 1; greater if the previous answer was wrong.
    public let attempt: Int
    /// How often it is asked for at most.
    package let mostAttempts: Int

    /// Whether the answer may be empty, to continue without a passphrase.
    public let isOptional: Bool
    /// What the answer is.
    package let wanted: Wanted
    /// What is done with the answer: an infinitive without "to". Nil where the operation does not say.
    package var purpose: String?
    /// What is done without one, where it may be empty: likewise.
    package var alternative: String?

    package init(
        of name: String, attempt: Int = 1, mostAttempts: Int = 1, isOptional: Bool = false,
        wanted: Wanted = .passphrase
    ) {
        self.isOptional = isOptional
        self.wanted = wanted
        self.name = name
        self.attempt = attempt
        self.mostAttempts = mostAttempts
    }
}
