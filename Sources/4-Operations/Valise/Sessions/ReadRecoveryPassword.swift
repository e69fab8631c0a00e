package import SystemPackage
import ValiseSecrets
package import ValiseSessionStore

/// Reads the recovery password of an account of Session: from its store, from its words, or from the seed that they stand for.
package struct ReadRecoveryPassword: Operation {
    /// Where it is read from.
    package enum Source: Sendable {
        /// A store, see ``SummarizeSession``.
        case store(FilePath)
        /// 13 words, which the user types where they are not given.
        case words
        /// 16 bytes as 32 hexadecimal digits.
        case seed
    }

    package var source: Source
    /// Opens the store, or has the words or the seed.
    package var secret: PassphraseSource
    /// Of the words; nil for the one that most of them belong to, and English for those that are shown.
    package var language: RecoveryLanguage?

    package init(_ source: Source, secret: PassphraseSource = PassphraseSource()) {
        self.source = source
        self.secret = secret
    }

    /// - Throws: `RecoveryPasswordError` for words that are none; as the opening of a store; ``OperationError``: `notFound` for a
    ///   store without a key of its account, `invalid`.
    package func run(in context: OperationContext) async throws -> RecoveredPassword {
        switch source {
        case .store(let path): try await read(path, context)
        case .words: try await readWords(context)
        case .seed: try await readSeed(context)
        }
    }

    private func read(_ path: FilePath, _ context: OperationContext) async throws -> RecoveredPassword {
        let place = try await context.blocking { _ in try SessionPlace.require(path) }
        let access = try await SessionAccess(place, secret, to: "read its recovery password", in: context)
        return try await context.blocking { _ in
            let store = try access.snapshot.open()
            guard let password = try store.recoveryPassword() else {
                throw OperationError(
                    .notFound, "no recovery password is stored", subject: path.string)
            }
            let found = try RecoveredPassword(password, language ?? .english)
            guard store.ownID.map({ $0 == found.sessionID }) ?? true else {
                throw SessionStoreError(
                    .damaged, "the recovery password is not that of the account in the store", path.string)
            }
            return found
        }
    }

    private func readWords(_ context: OperationContext) async throws -> RecoveredPassword {
        let text = try await given(.recoveryPassword, context)
        let reading = try RecoveryPassword.read(text.bytes, in: language)
        return try RecoveredPassword(reading.password, reading.language, inexact: reading.inexact)
    }

    private func readSeed(_ context: OperationContext) async throws -> RecoveredPassword {
        let text = try await given(.recoverySeed, context)
        return try RecoveredPassword(RecoveryPassword(digits: text.bytes), language ?? .english)
    }

    private func given(
        _ wanted: PassphraseRequest.Wanted, _ context: OperationContext
    ) async throws -> SharedSecret {
        if let given = try await secret.read() { return given }
        let name = "recovery password"
        guard
            let typed = try await context.questions.passphrase(PassphraseRequest(of: name, wanted: wanted))
        else { throw OperationError.nobodyToAsk(for: name) }
        return typed
    }
}

/// A recovery password and whose it is. The words and the seed are no part of a document.
package struct RecoveredPassword: OperationReport {
    package let sessionID: String
    package let language: RecoveryLanguage
    /// The places from 1 of words that were not spelled as in the list, and are taken all the same.
    package let inexact: [Int]
    package let password: RecoveryPassword

    private enum Key: String, CodingKey {
        case language, inexact
        case sessionID = "sessionId"
    }

    /// - Throws: `SecretsError`; `SessionStoreError`.
    init(_ password: RecoveryPassword, _ language: RecoveryLanguage, inexact: [Int] = []) throws {
        self.password = password
        self.language = language
        self.inexact = inexact
        sessionID = try password.account().id.description
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(sessionID, forKey: .sessionID)
        try container.encode(language.rawValue, forKey: .language)
        try container.encode(inexact, forKey: .inexact)
    }
}
