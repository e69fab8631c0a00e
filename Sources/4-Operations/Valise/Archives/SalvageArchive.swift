public import SystemPackage
public import ValiseAccountArchives
public import ValiseConcurrency
import ValiseFailures
import ValiseSecrets

/// Recovers intact entries of a damaged archive into a new one. The damaged one is only read.
///
/// Without a passphrase, one is asked for where a damaged database needs it. The answer may be empty.
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
        var report = try await salvage(options, passphrase.read(), context)
        // Only now it is known that one is needed, and what is saved already stays if none is given.
        if report.isPassphraseMissing, let complete = try await salvageAsking(options, context) {
            report = complete
        }
        context.tell(report.entryFailures)
        return report
    }

    private func salvage(
        _ options: ArchiveSalvage.Options, _ key: SharedSecret?, _ context: OperationContext
    ) async throws -> ArchiveSalvageReport {
        try await context.blocking { progress in
            try key.lent {
                try ArchiveSalvage(options).run(archive, to: target, passphrase: $0, progress: progress)
            }
        }
    }

    /// Once more, with the passphrase that the user types, in the place of what the first salvage wrote.
    /// - Returns: nil where nobody can be asked, or the user gives none.
    /// - Throws: ``OperationError`` with `wrongPassphrase`, after the last attempt.
    private func salvageAsking(
        _ options: ArchiveSalvage.Options, _ context: OperationContext
    ) async throws -> ArchiveSalvageReport? {
        var options = options
        options.replacesFile = true
        let asking = context.asking(to: "recover data of damaged databases", orElse: "keep only their bytes")
        let asked = try await asking.attempts(of: archive.string, isOptional: true) { [options] key in
            try await salvageUnlessWrong(options, key, context)
        }
        guard let asked else { return nil }
        if let report = asked.opened { return report }
        if let report = try await salvageUnlessWrong(options, asked.key, context) { return report }
        throw OperationError(
            .wrongPassphrase,
            "wrong passphrase. "
                + (options.isDryRun
                    ? "Nothing was written."
                    : "The new archive has all intact entries, and the bytes of the damaged databases."),
            subject: archive.string)
    }

    /// - Returns: nil for a wrong passphrase.
    private func salvageUnlessWrong(
        _ options: ArchiveSalvage.Options, _ key: SharedSecret, _ context: OperationContext
    ) async throws -> ArchiveSalvageReport? {
        do {
            return try await salvage(options, key, context)
        } catch let failure as any Failure where failure.code == .wrongPassphrase {
            return nil
        }
    }
}

extension ArchiveSalvageReport: OperationReport {
    /// Also where databases are damaged, or where nobody knows what else was in the archive.
    public var hasEntryErrors: Bool { !isComplete }
    public var entryFailures: [EntryFailure] { lost.map { EntryFailure($0.name, $0.reason) } }
}
