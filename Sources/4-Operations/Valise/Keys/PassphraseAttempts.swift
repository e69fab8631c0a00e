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
        try await tried(of: name, databases, hint: hint, isOptional: isOptional) { account }?.key
    }

    /// The same for an account that is only opened to try an answer on it: while the user is asked, nothing is locked.
    /// - Parameter open: opens the account.
    /// - Returns: the answer and what it opened; nil where nobody can be asked. The account is nil where the answer is wrong.
    func askedPassphrase(
        of name: String, opening open: @escaping @Sendable () throws -> AccountReader
    ) async throws -> (key: SharedSecret, account: AccountReader?)? {
        try await tried(of: name, AccountDatabase.allCases, hint: nil, isOptional: false, open)
    }

    private func tried(
        of name: String, _ databases: [AccountDatabase], hint: CipherHint?, isOptional: Bool,
        _ open: @escaping @Sendable () throws -> AccountReader
    ) async throws -> (key: SharedSecret, account: AccountReader?)? {
        try await attempts(of: name, isOptional: isOptional) { answer in
            try await blocking { _ -> AccountReader? in
                let account = try open()
                return PassphraseCheck.isWrong(answer.bytes, for: account, databases, hint: hint)
                    ? nil : account
            }
        }.map { (key: $0.key, account: $0.opened) }
    }

    /// Asks for a passphrase until one opens what it is for. The last one is returned untried: the operation's own error says
    /// what is intact.
    ///
    /// - Parameters:
    ///   - name: what it opens.
    ///   - isOptional: whether an empty answer is none.
    ///   - wanted: what is asked for.
    ///   - opening: tries an answer; nil where it is wrong.
    /// - Returns: the answer, and what it opened; nil where nobody can be asked, or none is given.
    func attempts<Opened: Sendable>(
        of name: String, isOptional: Bool, wanted: PassphraseRequest.Wanted = .passphrase,
        opening: (SharedSecret) async throws -> Opened?
    ) async throws -> (key: SharedSecret, opened: Opened?)? {
        var last: SharedSecret?
        for attempt in 1...Self.mostPassphraseAttempts {
            let request = PassphraseRequest(
                of: name, attempt: attempt, mostAttempts: Self.mostPassphraseAttempts,
                isOptional: isOptional, wanted: wanted)
            // Deriving its keys takes long: what the trial derived, the operation uses.
            guard let answer = try await questions.passphrase(request)?.rememberingKeys() else { break }
            if isOptional, answer.bytes.isEmpty { return nil }
            last = answer
            if attempt == Self.mostPassphraseAttempts { break }
            if let opened = try await opening(answer) { return (key: answer, opened: opened) }
        }
        return last.map { (key: $0, opened: nil) }
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
