public import ValiseAccounts
public import ValiseMaintenance
public import ValisePages

/// Brings databases that are encrypted in a format of previous versions to the present one, atomically.
public struct UpgradeCipher: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource
    /// How the databases are encrypted, where they do not say it.
    public var hint: CipherHint?
    /// Whether the previous databases stay as `.bak` files.
    public var keepsBackup = false

    /// - Parameters:
    ///   - account: whose databases are brought to the present settings.
    ///   - passphrase: opens them.
    public init(of account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> CipherUpgrade.Report {
        let key = try await passphrase.passphrase(of: account, assumingEncrypted: hint != nil, in: context)
        let report = try await context.blocking { progress in
            try CipherUpgrade().run(
                account, passphrase: key.bytes, hint: hint, keepsBackup: keepsBackup, dryRun: true,
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }

    public func run(in context: OperationContext) async throws -> CipherUpgrade.Report {
        let key = try await passphrase.passphrase(of: account, assumingEncrypted: hint != nil, in: context)
        let report = try await context.recoverably(
            "upgrade of the cipher", .cipherSettings, of: account
        ) { progress in
            try CipherUpgrade().run(
                account, passphrase: key.bytes, hint: hint, keepsBackup: keepsBackup, dryRun: false,
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }
}
