public import ValiseAccounts
import ValiseFiles
public import ValiseMaintenance
public import ValisePages
import ValiseSecrets

/// Upgrades databases encrypted in an older format to the current one, atomically.
public struct UpgradeCipher: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource
    /// The encryption settings, if the databases do not record them.
    package var hint: CipherHint?
    /// Whether the previous databases are kept as `.bak` files.
    package var keepsBackup: Bool

    /// - Parameters:
    ///   - account: the account to upgrade.
    ///   - hint: the encryption settings, if the databases do not record them.
    ///   - keepsBackup: whether the previous databases are kept as `.bak` files.
    ///   - passphrase: opens them.
    public init(
        of account: AccountLocation, hint: CipherHint? = nil, keepsBackup: Bool = false,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.hint = hint
        self.keepsBackup = keepsBackup
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> CipherUpgradeReport {
        let key = try await key(context)
        let report = try await context.blocking { progress in
            try CipherUpgrade().run(
                account, passphrase: key.bytes, hint: hint, keepsBackup: keepsBackup, dryRun: true,
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }

    public func run(in context: OperationContext) async throws -> CipherUpgradeReport {
        let key = try await key(context)
        let report = try await context.recoverably(
            "cipher upgrade", .cipherSettings, of: account
        ) { progress in
            try CipherUpgrade().run(
                account, passphrase: key.bytes, hint: hint, keepsBackup: keepsBackup, dryRun: false,
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }

    /// With settings of their own, the usual trial would call the right passphrase wrong.
    private func key(_ context: OperationContext) async throws -> SharedSecret {
        let asking = context.asking(to: "convert its encryption") {
            _ = try AccountWriter.lockForPlan(account, fileSystem: FileSystem())
        }
        return try await passphrase.passphrase(
            of: account, for: hint == nil ? .changing : .examining(hint), assumingEncrypted: hint != nil,
            in: asking)
    }
}
