public import ValiseAccounts
public import ValiseMaintenance

/// Tells what an account is and what state it is in, and changes nothing.
public struct InspectAccount: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource
    /// Whether the passphrase has to be known. Else it is done without, where nothing gives it, and nobody is asked: schema and
    /// cipher are left out then.
    public var needsPassphrase = false

    /// - Parameters:
    ///   - account: which is looked at; it may be in use.
    ///   - passphrase: opens the databases.
    public init(_ account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> AccountStatus {
        let key =
            needsPassphrase
            ? try await passphrase.passphrase(of: account, in: context)
            : try await passphrase.known(of: account, in: context)
        return try await context.blocking { _ in
            try key.lent { try AccountInspection().status(account, passphrase: $0) }
        }
    }
}
