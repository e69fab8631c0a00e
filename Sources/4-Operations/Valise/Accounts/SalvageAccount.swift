public import SystemPackage
public import ValiseAccounts
public import ValiseMaintenance

/// Recovers readable data from a damaged account into a new one. The damaged one is only read.
public struct SalvageAccount: Operation {
    package var account: AccountLocation
    /// The folder of the new account: not there yet, or empty.
    package var target: FilePath
    package var options: SalvageOptions
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the damaged account, which is not changed.
    ///   - target: the folder of the new account.
    ///   - options: how thorough the recovery is.
    ///   - passphrase: opens the databases.
    public init(
        _ account: AccountLocation, to target: FilePath, options: SalvageOptions = SalvageOptions(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.target = target
        self.options = options
        self.passphrase = passphrase
    }

    /// What would be recovered; nothing is written to the target.
    public func plan(in context: OperationContext) async throws -> SalvageReport {
        var options = options
        options.isDryRun = true
        return try await salvage(options, context)
    }

    public func run(in context: OperationContext) async throws -> SalvageReport {
        try await salvage(options, context)
    }

    private func salvage(_ options: SalvageOptions, _ context: OperationContext) async throws -> SalvageReport
    {
        // Damage may make the right passphrase look wrong.
        try await context.blocking { _ in try AccountSalvage().refuse(target) }
        let key = try await passphrase.passphrase(
            of: account, for: .examining(options.hint), in: context.asking(to: "recover its data"))
        let report = try await context.blocking { progress in
            try AccountSalvage().run(
                account, to: target, passphrase: key.bytes, options: options, progress: progress)
        }
        context.note(InUseNote(account.directory.string, report.inUse))
        return report
    }
}

extension SalvageReport: OperationReport {
    /// Rows and pages that are lost have no names: the report has them database by database.
    public var hasEntryErrors: Bool { !isComplete }
}
