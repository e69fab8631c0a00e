import ValiseConcurrency
import ValiseSecrets

/// Questions of an operation that says what it asks for a passphrase for.
private struct PurposefulQuestions: Questions {
    let questions: any Questions
    let purpose: String
    let alternative: String?
    let look: @Sendable () throws -> Void

    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
        if request.attempt == 1 { try await BlockingExecutor.shared.run { try look() } }
        var request = request
        request.purpose = purpose
        request.alternative = alternative
        return try await questions.passphrase(request)
    }

    func answer(_ question: Question) async throws -> Bool? { try await questions.answer(question) }
}

extension OperationContext {
    /// The same for a user who is told what a passphrase is asked for.
    ///
    /// - Parameters:
    ///   - purpose: what is done with it: an infinitive without "to", such as `compact its databases`.
    ///   - alternative: what is done without it, where the answer may be empty: likewise.
    ///   - look: refuses what would be refused whatever the answer is. It is called before the first question only: where a
    ///     passphrase is given, the operation itself looks more closely.
    func asking(
        to purpose: String, orElse alternative: String? = nil,
        after look: @escaping @Sendable () throws -> Void = {}
    ) -> OperationContext {
        var context = self
        context.questions = PurposefulQuestions(
            questions: questions, purpose: purpose, alternative: alternative, look: look)
        return context
    }
}
