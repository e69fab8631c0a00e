public import ValiseSecrets

/// Who answers what an operation has to ask.
public protocol Questions: Sendable {
    /// Asks for a passphrase.
    /// - Returns: nil where nobody can be asked.
    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret?

    /// Asks for a decision.
    /// - Returns: nil where nobody can be asked.
    func answer(_ question: Question) async throws -> Bool?
}

/// Nobody is there to ask.
public struct NoAnswers: Questions {
    /// Answers nothing.
    public init() {}

    public func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }
    public func answer(_ question: Question) async throws -> Bool? { nil }
}

/// Which passphrase is asked for.
public struct PassphraseRequest: Sendable {
    /// Of what, such as the folder of an account.
    public let name: String
    /// From 1; greater where the previous answer did not fit.
    public let attempt: Int
    /// How often it is asked for at most.
    package let mostAttempts: Int

    /// Whether the empty answer is one, too: it is done without then.
    public let isOptional: Bool
    /// Whether it is the key and nonce of an encrypted file that are asked for: JSON, or `key=… nonce=…`.
    package let isFileKey: Bool

    package init(
        of name: String, attempt: Int = 1, mostAttempts: Int = 1, isOptional: Bool = false,
        isFileKey: Bool = false
    ) {
        self.isOptional = isOptional
        self.isFileKey = isFileKey
        self.name = name
        self.attempt = attempt
        self.mostAttempts = mostAttempts
    }
}
