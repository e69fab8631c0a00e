public import SystemPackage
public import ValiseAccounts
public import ValiseConcurrency
public import ValiseMedia

/// Exports decrypted copies of media, with their names and times. The account is not changed.
public struct ExportMedia: Operation {
    package var account: AccountLocation
    /// The folder for the copies; it is made where it is missing.
    package var target: FilePath
    package var options: MediaExportOptions
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account whose media are exported.
    ///   - target: the folder for them.
    ///   - options: which media, and how.
    ///   - passphrase: opens the databases.
    public init(
        of account: AccountLocation, to target: FilePath, options: MediaExportOptions = MediaExportOptions(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.target = target
        self.options = options
        self.passphrase = passphrase
    }

    /// What would be copied.
    public func plan(in context: OperationContext) async throws -> MediaExportReport {
        var options = options
        options.isDryRun = true
        return try await export(options, context)
    }

    public func run(in context: OperationContext) async throws -> MediaExportReport {
        try await export(options, context)
    }

    private func export(
        _ options: MediaExportOptions, _ context: OperationContext
    ) async throws -> MediaExportReport {
        try await context.blocking { _ in try MediaExport().refuse(target, for: account) }
        let key = try await passphrase.passphrase(
            of: account, in: context.asking(to: "export its media"))
        let report = try await context.blocking { progress in
            try MediaExport().run(
                account, to: target, passphrase: key.bytes, options: options, progress: progress)
        }
        context.note(InUseNote(account.directory.string, report.inUse))
        context.tell(report.entryFailures)
        return report
    }
}

extension MediaExportReport: OperationReport {
    public var entryFailures: [EntryFailure] { problems.map { EntryFailure($0) } }
}
