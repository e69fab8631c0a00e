import SystemPackage
public import ValiseAccounts
import ValiseFiles

/// Completes or cleans up what an interrupted change of an account left. Every operation that changes an account does this
/// first; this one does nothing else.
public struct RecoverAccount: Operation {
    public var account: AccountLocation

    public init(_ account: AccountLocation) { self.account = account }

    /// What is pending; nil for nothing.
    public func plan(in context: OperationContext) async throws -> AccountRecovery? {
        try await context.blocking { _ in try AccountRecovery.pending(account) }
    }

    public func run(in context: OperationContext) async throws -> RecoveredAccount {
        try await context.blocking { _ in
            let opened = try AccountWriter(account, toChange: false, fileSystem: FileSystem())
            return RecoveredAccount(opened.recovery, account: account.directory.string)
        }
    }
}

/// What was completed or cleaned up.
public struct RecoveredAccount: OperationReport {
    public let type = "accountRecovered"
    /// Nil where nothing was left.
    public let recovery: AccountRecovery?
    /// The folder of the account.
    public let account: String
    /// What had been asked for; nil where that is not known.
    public let change: String?
    /// Nil where nothing was left.
    public let outcome: JobEnding?
    /// Which passphrase opens the account now; nil where the change was none of the encryption.
    public let passphrase: OpeningPassphrase?

    init(_ recovery: AccountRecovery?, account: String) {
        let outcome: JobEnding? = recovery.map { $0.state == .after ? .completed : .rolledBack }
        self.init(recovery, account: account, change: nil, outcome, passphrase: nil)
    }

    init(
        _ recovery: AccountRecovery?, account: String, change: String?, _ outcome: JobEnding?,
        passphrase: OpeningPassphrase?
    ) {
        self.recovery = recovery
        self.account = account
        self.change = change
        self.outcome = outcome
        self.passphrase = passphrase
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(recovery?.state.rawValue, forKey: .state)
        try container.encodeIfPresent(recovery?.operation, forKey: .operation)
        try container.encodeIfPresent(change, forKey: .change)
        try container.encodeIfPresent(outcome, forKey: .outcome)
        try container.encodeIfPresent(passphrase, forKey: .passphrase)
    }

    private enum Key: String, CodingKey {
        case type, state, change, outcome, passphrase
        case operation = "act"
    }
}
