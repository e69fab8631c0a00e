public import ValiseAccounts
import ValiseConcurrency
public import ValiseMaintenance
public import ValisePages

/// Checks the passphrase of an account, and explains why it fails. Nothing is written.
public struct VerifyPassphrase: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource
    /// The encryption settings, if the databases do not record them.
    package var hint: CipherHint?

    /// - Parameters:
    ///   - account: the account.
    ///   - hint: the encryption settings, if the databases do not record them.
    ///   - passphrase: the passphrase to check.
    public init(
        of account: AccountLocation, hint: CipherHint? = nil,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.hint = hint
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> VerifiedPassphrase {
        let pending = try await ListOperations([], accounts: [account]).run(in: context).records.first
        if pending?.state == .decided { context.note(PendingChangeNote(account: account)) }
        let key = try await passphrase.passphrase(
            of: account, for: .examining(hint), assumingEncrypted: hint != nil,
            in: context.asking(to: "verify it"))
        let verified = try await context.blocking { _ in
            let reader = try AccountReader(lockedAsItIs: account)
            return VerifiedPassphrase(
                databases: try PassphraseCheck.run(reader, passphrase: key.bytes, hint: hint),
                inUse: reader.holder)
        }
        context.note(InUseNote(account.directory.string, verified.inUse, isSnapshot: false))
        return verified
    }
}

/// The result of the passphrase check for each database.
public struct VerifiedPassphrase: Sendable {
    package let databases: [PassphraseCheck.Result]
    /// The program that was using the account; nil where none was.
    package let inUse: String?

    /// The more important of the answers; nil if the passphrase opens all databases.
    public var worst: PassphraseAnswer? {
        let order: [PassphraseAnswer] = [
            .missing, .firstPageDamaged, .wrong, .otherParameters, .notSQLCipher, .unencrypted,
        ]
        return order.first { answer in databases.contains { $0.answer == answer } }
    }
}

/// An interrupted change waits to be completed, so that the two databases may be of different states.
package struct PendingChangeNote: OperationNote {
    package let account: AccountLocation

    package var text: String { "an interrupted operation is pending" }
}
