public import SystemPackage
public import ValiseAccountArchives
public import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
public import ValiseFiles
import ValiseMaintenance
import ValiseMedia
import ValiseSecrets

/// Checks an archive and imports its account, atomically.
///
/// A tar, cpio or 7z is first copied into a private zip beside the account, all of it checked. Such an import is not kept as a job.
public struct ImportArchive: Operation {
    /// Where an archive is.
    public enum Source: Sendable {
        /// A file. Such an import is kept as a job.
        case file(FilePath)
        /// Data that a file system provides under this path, and that cannot be read again later.
        case lent(FilePath, by: FileSystem)

        var path: FilePath {
            switch self {
            case .file(let path), .lent(let path, by: _): path
            }
        }

        /// In which it is found under its path.
        var fileSystem: FileSystem {
            if case .lent(_, let fileSystem) = self { fileSystem } else { FileSystem() }
        }
    }

    package var archive: Source
    package var account: AccountLocation
    package var options: ArchiveImport.Options
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - archive: the archive to import.
    ///   - account: where it is imported to.
    ///   - options: what may be replaced, and how far the archive is trusted.
    ///   - passphrase: opens the archived databases.
    public init(
        _ archive: Source, into account: AccountLocation,
        options: ArchiveImport.Options = ArchiveImport.Options(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.archive = archive
        self.account = account
        self.options = options
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> ImportArchivePlan {
        var operation = self
        operation.archive = try await archive.asZip(in: .temporary, limits: options.limits, context)
        return try await operation.planZip(in: context)
    }

    private func planZip(in context: OperationContext) async throws -> ImportArchivePlan {
        let key = try await key(context)
        return try await context.blocking { progress in
            let engine = ArchiveImport(options, fileSystem: fileSystem)
            let plan = try key.lent {
                try engine.plan(path, to: account, passphrase: $0, progress: progress)
            }
            return ImportArchivePlan(
                plan: plan, schema: plan.databasesOpened ? try schema(key) : nil,
                refusal: refusal(plan, engine))
        }
    }

    public func run(in context: OperationContext) async throws -> ImportedArchive {
        var operation = self
        operation.archive = try await archive.asZip(
            in: .beside(account.directory), limits: options.limits, context)
        return try await operation.runZip(in: context)
    }

    private func runZip(in context: OperationContext) async throws -> ImportedArchive {
        let key = try await key(context)
        let report =
            switch archive {
            case .file(let path):
                try await run(
                    ArchiveImportJob(
                        path, into: account, options, JobPassphrase(passphrase, isWanted: key != nil)),
                    key, context)
            case .lent:
                try await context.blocking { progress in
                    try key.lent {
                        try ArchiveImport(options, fileSystem: fileSystem)
                            .import(path, to: account, passphrase: $0, progress: progress)
                    }
                }
            }
        context.note(RecoveryNote(report.recovery))
        ImportNote.tell(report, context)
        let imported = ImportedArchive(report: report, account: account.directory.string)
        context.tell(imported.entryFailures)
        return imported
    }

    private func run(
        _ job: ArchiveImportJob, _ key: SharedSecret?, _ context: OperationContext
    ) async throws -> ImportReport {
        try await OperationJobs(context).run(job) { context, _ in
            try await context.blocking { progress in
                try key.lent { try job.perform(passphrase: $0, progress: progress) }
            }
        }
    }

    // MARK: Parts

    private var path: FilePath { archive.path }
    private var fileSystem: FileSystem { archive.fileSystem }

    /// Where an account is replaced, its stored passphrase or an answer lets the age be told by what is in both.
    private func key(_ context: OperationContext) async throws -> SharedSecret? {
        if let given = try await passphrase.read() { return given }
        guard options.replacesAccount, try fileSystem.exists(account.path(of: .agent)),
            let stored = try? ArchiveStorage(path, limits: options.limits, fileSystem: fileSystem),
            (try? AccountReader(stored).isEncrypted(.agent)) == true
        else { return nil }
        // The archive may have another one: that is no failure.
        if let stored = try await passphrase.stored(of: account, in: context),
            try await context.blocking({ _ in
                try ArchiveImport(options, fileSystem: fileSystem).opens(path, passphrase: stored.bytes)
            })
        {
            return stored
        }
        return try await context.askedPassphrase(
            of: path.string, opening: AccountReader(stored), isOptional: true)
    }

    /// Why the import would change nothing, where the plan tells that instead of throwing.
    private func refusal(_ plan: ImportPlan, _ engine: ArchiveImport) -> (any Failure)? {
        guard plan.fits else {
            return OperationError(
                .noSpace,
                "not enough free space: \(Count.bytes(plan.spaceNeeded)) needed, "
                    + "\(Count.bytes(plan.freeSpace)) available")
        }
        return engine.refusal(plan.age, path, at: account)
    }

    private func schema(_ key: SharedSecret?) throws -> ArchivedSchema {
        let archived = AccountReader(
            try ArchiveStorage(path, limits: options.limits, fileSystem: fileSystem))
        return try ArchivedSchema(archived, passphrase: try key?.bytes.duplicate() ?? SecretBytes.empty())
    }
}
