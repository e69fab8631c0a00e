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
///
/// Where an account is replaced and not kept, ``Question/replaceAccount(_:warning:)`` is asked, after all that could refuse the
/// import was looked at.
public struct ImportArchive: Operation {
    /// Where an archive is.
    public enum Source: Sendable {
        /// A file. Such an import is kept as a job.
        case file(FilePath)
        /// Data that a file system provides under this path, and that cannot be read again later.
        case lent(FilePath, by: FileSystem)
        /// Data that comes through a descriptor, which stays open, called by this name. What comes through a pipe is kept in a file
        /// without a name while it is needed.
        case descriptor(FileDescriptor, name: FilePath)

        var path: FilePath {
            switch self {
            case .file(let path), .lent(let path, by: _), .descriptor(_, name: let path): path
            }
        }

        /// In which it is found under its path, once it is kept.
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
        try await refusing {
            let opened = try await archive.asZip(in: .temporary, limits: options.limits, context)
            var operation = self
            operation.archive = opened.source
            return try await operation.plan(opened, operation.look(at: opened, context), in: context)
        }
    }

    private func plan(
        _ opened: OpenedArchive, _ looked: Looked, in context: OperationContext
    ) async throws -> ImportArchivePlan {
        try await context.blocking { progress in
            let engine = ArchiveImport(options, fileSystem: fileSystem)
            let content = try looked.content ?? opened.content()
            let plan = try looked.key.lent {
                try engine.plan(from: content, to: account, passphrase: $0, progress: progress)
            }
            return ImportArchivePlan(
                plan: plan, schema: plan.databasesOpened ? try schema(content, looked.key) : nil,
                refusal: refusal(plan, engine))
        }
    }

    public func run(in context: OperationContext) async throws -> ImportedArchive {
        try await refusing {
            // Before an archive is read for nothing.
            let asks = try mustAsk(context)
            let opened = try await archive.asZip(
                in: .beside(account.directory), limits: options.limits, context)
            var operation = self
            operation.archive = opened.source
            return try await operation.run(opened, asks: asks, in: context)
        }
    }

    /// Says of damage where all of it is listed.
    private func refusing<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as any Failure {
            if case .file(let path) = archive,
                let refusal = ArchiveRefusal(failure, of: path, acceptsDamage: options.allowsDamaged)
            {
                throw refusal
            }
            throw failure
        }
    }

    private func mustAsk(_ context: OperationContext) throws -> Bool {
        guard options.replacesAccount, options.keepsPreviousAs == nil, account.hasAccount else {
            return false
        }
        return try !context.questions.areSettled(before: .replaceAccount(account, warning: nil))
    }

    private func run(
        _ opened: OpenedArchive, asks: Bool, in context: OperationContext
    ) async throws -> ImportedArchive {
        var looked = try await look(at: opened, context)
        if asks {
            // What was asked about is what is imported.
            looked.content = try looked.content ?? opened.content()
            try await agree(opened, looked, context)
        }
        let report = try await importing(opened, looked, context)
        context.note(RecoveryNote(report.recovery))
        ImportNote.tell(report, context)
        let imported = ImportedArchive(report: report, account: account.directory.string)
        context.tell(imported.entryFailures)
        return imported
    }

    /// - Throws: ``OperationError``; whatever would refuse the import, without a question.
    private func agree(
        _ opened: OpenedArchive, _ looked: Looked, _ context: OperationContext
    ) async throws {
        let plan = try await plan(opened, looked, in: context)
        if let refusal = plan.refusal { throw refusal }
        try await context.questions.require(
            .replaceAccount(account, warning: plan.plan.age?.warning(isDone: false)),
            unasked: .unasked("replacing an account", subject: account.directory.string))
    }

    private func importing(
        _ opened: OpenedArchive, _ looked: Looked, _ context: OperationContext
    ) async throws -> ImportReport {
        switch archive {
        case .file(let path):
            try await run(
                ArchiveImportJob(
                    path, into: account, options,
                    JobPassphrase(passphrase, isWanted: looked.key != nil)),
                looked, opened, context)
        // It is lent once it is opened.
        case .lent, .descriptor:
            try await context.blocking { progress in
                try looked.key.lent {
                    try ArchiveImport(options, fileSystem: fileSystem).import(
                        from: looked.content ?? opened.content(), to: account, passphrase: $0,
                        progress: progress)
                }
            }
        }
    }

    private func run(
        _ job: ArchiveImportJob, _ looked: Looked, _ opened: OpenedArchive, _ context: OperationContext
    ) async throws -> ImportReport {
        try await OperationJobs(context).run(job) { context, _ in
            try await context.blocking { progress in
                try looked.key.lent {
                    try job.perform(
                        looked.content ?? opened.content(), passphrase: $0, progress: progress)
                }
            }
        }
    }

    // MARK: Parts

    private var path: FilePath { archive.path }
    private var fileSystem: FileSystem { archive.fileSystem }

    /// What is known before the import.
    private struct Looked: Sendable {
        /// The archive, where it was looked into; nil too where that failed: whoever reads it says why.
        var content: ArchiveStorage?
        /// Opens the archived databases.
        var key: SharedSecret?
    }

    /// Where an account is replaced, its stored passphrase or an answer lets the age be told by what is in both.
    private func look(at archive: OpenedArchive, _ context: OperationContext) async throws -> Looked {
        if let given = try await passphrase.read() { return Looked(key: given) }
        guard options.replacesAccount, try fileSystem.exists(account.path(of: .agent)),
            let content = try? archive.content()
        else { return Looked() }
        guard (try? AccountReader(content).isEncrypted(.agent)) == true else {
            return Looked(content: content)
        }
        // The archive may have another one: that is no failure.
        if let stored = try await passphrase.stored(of: account, in: context),
            try await context.blocking({ _ in
                try ArchiveImport.opens(content, passphrase: stored.bytes)
            })
        {
            return Looked(content: content, key: stored)
        }
        let asking = context.asking(
            to: "check whether it is older than the account", orElse: "go by file times"
        ) { [account, options, fileSystem] in
            _ = try ArchiveImport(options, fileSystem: fileSystem).lock(account)
        }
        let key = try await asking.askedPassphrase(
            of: path.string, opening: AccountReader(content), isOptional: true)
        return Looked(content: content, key: key)
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

    private func schema(_ content: ArchiveStorage, _ key: SharedSecret?) throws -> ArchivedSchema {
        try ArchivedSchema(
            AccountReader(content), passphrase: try key?.bytes.duplicate() ?? SecretBytes.empty())
    }
}
