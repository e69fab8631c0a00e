public import SystemPackage
public import ValiseAccountArchives

/// Recovers intact entries of a damaged archive into a new one. The damaged one is only read.
public struct SalvageArchive: Operation {
    public var archive: FilePath
    /// The archive to write.
    public var target: FilePath
    public var options: ArchiveSalvage.Options
    /// With which databases that are damaged are opened; without, their bytes are kept.
    public var passphrase: PassphraseSource

    public init(
        _ archive: FilePath, to target: FilePath, options: ArchiveSalvage.Options = ArchiveSalvage.Options(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.archive = archive
        self.target = target
        self.options = options
        self.passphrase = passphrase
    }

    /// What would be saved; nothing is left at the target.
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
        return try await context.blocking { progress in
            try key.lent {
                try ArchiveSalvage(options).run(archive, to: target, passphrase: $0, progress: progress)
            }
        }
    }
}
