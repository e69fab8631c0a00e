import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
package import ValiseMaintenance
package import ValisePages
public import ValiseSecrets

/// Changes, sets or removes the passphrase of both databases of an account, atomically; removes it after
/// ``Question/removeEncryption(_:)``.
public struct ChangePassphrase: Operation {
    package var account: AccountLocation
    /// The one that opens the databases now.
    package var current: PassphraseSource
    /// Gives the new one, once the current one is known; the empty one for no encryption.
    package var new: @Sendable () async throws -> SharedSecret
    /// Whether ``plan(in:)`` goes without the new one: with any, the same would be done to the account.
    package var plansWithoutNew = false
    /// Whether the previous databases are kept as `.bak` files, which open with the previous passphrase.
    public var keepsBackup = false
    /// Whether the new passphrase may be easy to guess.
    public var allowsWeak = false
    /// The cipher implementation; nil for the fastest.
    package var engine: PageEngineKind?

    /// - Parameters:
    ///   - account: the account whose passphrase is changed.
    ///   - current: opens the databases.
    ///   - new: returns the new passphrase.
    public init(
        of account: AccountLocation, from current: PassphraseSource,
        to new: @escaping @Sendable () async throws -> SharedSecret = {
            SharedSecret(try SecretBytes(copying: []))
        }
    ) {
        self.account = account
        self.current = current
        self.new = new
    }

    /// Checks the passphrase, every page and the free space.
    public func plan(in context: OperationContext) async throws -> ChangedPassphrase {
        let (current, new) = try await keys(context, withoutNew: plansWithoutNew)
        let report = try await context.blocking { progress in
            try change(current, new, dryRun: true, progress)
        }
        return told(report, nil, context, isSame: current.bytes.equals(new.bytes))
    }

    public func run(in context: OperationContext) async throws -> ChangedPassphrase {
        let (current, new) = try await keys(context)
        let report = try await context.recoverably("passphrase change", .passphrase, of: account) {
            progress in
            try change(current, new, dryRun: false, agree: { try agree(to: new, context) }, progress)
        }
        guard report.changed else { return told(report, nil, context, isSame: true) }
        let stores = try await BlockingExecutor.shared.run {
            StoredKeyUpdate(
                new.bytes, of: account, in: KeyStores(context.folders, mayPrompt: self.current.mayPrompt))
        }
        return told(report, stores, context)
    }

    private func keys(
        _ context: OperationContext, withoutNew: Bool = false
    ) async throws -> (current: SharedSecret, new: SharedSecret) {
        // Nobody is asked for anything where nothing may be changed.
        try await context.blocking { _ in try ReadOnlyMark.refuse(account, fileSystem: FileSystem()) }
        let asking = context.asking(to: "change it") {
            try AccountRekey(engine: engine).refuseObstacles(account, keepsBackup: keepsBackup)
        }
        let current = try await current.passphrase(of: account, for: .changing, in: asking)
        // Nobody is asked for a new passphrase in vain: the change itself says what is wrong.
        try await context.blocking { progress in
            guard PassphraseCheck.isWrong(current.bytes, for: AccountReader(asItIs: account)) else { return }
            _ = try change(current, SharedSecret(try SecretBytes(copying: [])), dryRun: true, progress)
        }
        if withoutNew { return (current, SharedSecret(try SecretBytes.generatedPassphrase())) }
        let new = try await new().rememberingKeys()
        try context.accept(new: new, evenIfWeak: allowsWeak)
        return (current, new)
    }

    private func agree(to new: SharedSecret, _ context: OperationContext) throws {
        guard new.bytes.isEmpty else { return }
        try context.require(
            whileBlocking: .removeEncryption(account),
            unasked: .unasked("removing the encryption", subject: account.directory.string))
    }

    private func change(
        _ current: SharedSecret, _ new: SharedSecret, dryRun: Bool, agree: () throws -> Void = {},
        _ progress: ProgressHandler
    ) throws -> RekeyReport {
        let config = DBEncryptionConfig(
            currentKey: try current.bytes.duplicate(), newKey: try new.bytes.duplicate())
        return try AccountRekey(engine: engine).run(
            account, config: config, keepsBackup: keepsBackup, dryRun: dryRun, agree: agree,
            progress: progress)
    }

    private func told(
        _ report: RekeyReport, _ stores: StoredKeyUpdate?, _ context: OperationContext, isSame: Bool = false
    ) -> ChangedPassphrase {
        context.note(RecoveryNote(report.recovery))
        return ChangedPassphrase(report: report, stores: stores, isSame: isSame)
    }
}

/// What a passphrase change did or would do.
public struct ChangedPassphrase: Sendable {
    /// What was done.
    package let report: RekeyReport
    /// The updated key stores; nil if nothing was changed.
    public let stores: StoredKeyUpdate?
    /// Whether the new passphrase is the current one.
    package let isSame: Bool

    /// False in a plan, and where the new passphrase is the current one.
    public var changed: Bool { report.changed }
    /// Whether the previous databases stay as `.bak`.
    public var keepsBackup: Bool { report.keepsBackup }
    /// In bytes, while the previous databases and the new ones both exist.
    public var spaceNeeded: Int64 { report.plan.spaceNeeded }
    /// In bytes.
    public var freeSpace: Int64 { report.plan.freeSpace }
}
