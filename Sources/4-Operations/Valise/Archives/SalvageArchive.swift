public import SystemPackage
public import ValiseAccountArchives
public import ValiseConcurrency

/// Recovers intact entries of a damaged archive into a new one. The damaged one is only read.
public struct SalvageArchive: Operation {
    package var archive: FilePath
    /// The archive to write.
    package var target: FilePath
    package var options: ArchiveSalvage.Options
    /// With which databases that are damaged are opened; without, their bytes are kept.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - archive: the damaged archive, which is not changed.
    ///   - target: the new archive.
    ///   - options: how thorough the recovery is.
    ///   - passphrase: opens the databases, to salvage them as well.
    public init(
        _ archive: FilePath, to target: FilePath, options: ArchiveSalvage.Options = ArchiveSalvage.Options(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.archive = archive
        self.target = target
        self.options = options
        self.passphrase = passphrase
    }

    /// What would be recovered; nothing is written to the target.
    public func plan(in context: OperationContext) async throws -> ArchiveSalvageReport {
        var options = options
        options.isDryRun = true
        return try await salvage(options, context)
    }

    public func run(in context: OperationContext) async throws -> ArchiveSalvageReport {
        try await salvage(options, context)
    }

    private func salvage(
        _ options: ArchiveSalvage.Options, _ context: OperationContext
    ) async throws -> ArchiveSalvageReport {
        let key = try await passphrase.read()
        let report = try await context.blocking { progress in
            try key.lent {
                try ArchiveSalvage(options).run(archive, to: target, passphrase: $0, progress: progress)
            }
        }
        context.tell(report.entryFailures)
        return report
    }
}

extension ArchiveSalvageReport: OperationReport {
    /// Also where databases are damaged, or where nobody knows what else was in the archive.
    public var hasEntryErrors: Bool { !isComplete }
    public var entryFailures: [EntryFailure] { lost.map { EntryFailure($0.name, $0.reason) } }
}
