import ValiseAccounts
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

extension OperationContext {
    /// How often a passphrase is asked for.
    private static let mostPassphraseAttempts = 3

    /// Asks for a passphrase, again where it does not open the account. A wrong last one is returned too: the operation's own
    /// error says what is intact.
    ///
    /// - Parameters:
    ///   - name: what it opens.
    ///   - account: the answer is tried on it.
    ///   - databases: those that it is needed for.
    ///   - hint: its encryption settings, where the databases do not record them.
    ///   - isOptional: whether an empty answer is none.
    /// - Returns: nil where nobody can be asked.
    func askedPassphrase(
        of name: String, opening account: AccountReader,
        _ databases: [AccountDatabase] = AccountDatabase.allCases, hint: CipherHint? = nil,
        isOptional: Bool = false
    ) async throws -> SharedSecret? {
        var last: SharedSecret?
        for attempt in 1...Self.mostPassphraseAttempts {
            let request = PassphraseRequest(
                of: name, attempt: attempt, mostAttempts: Self.mostPassphraseAttempts,
                isOptional: isOptional)
            // Deriving its keys takes long: what the trial derived, the operation uses.
            guard let answer = try await questions.passphrase(request)?.rememberingKeys() else { return last }
            if isOptional, answer.bytes.isEmpty { return nil }
            last = answer
            if attempt == Self.mostPassphraseAttempts { break }
            let isWrong = try await blocking { _ in
                PassphraseCheck.isWrong(answer.bytes, for: account, databases, hint: hint)
            }
            if !isWrong { break }
        }
        return last
    }

    /// The same where an answer is needed.
    /// - Throws: ``OperationError``: `invalid` where nobody can be asked; whatever the question throws.
    func passphrase(
        of name: String, opening account: AccountReader,
        _ databases: [AccountDatabase] = AccountDatabase.allCases, hint: CipherHint? = nil
    ) async throws -> SharedSecret {
        let answer = try await askedPassphrase(of: name, opening: account, databases, hint: hint)
        if let answer { return answer }
        throw OperationError.nobodyToAsk(for: name)
    }
}

extension OperationError {
    static func nobodyToAsk(for name: String) -> OperationError {
        OperationError(.invalid, "passphrase required, but there is no way to ask for one", subject: name)
    }
}
