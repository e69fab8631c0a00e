public import SystemPackage
public import ValiseAccountArchives
public import ValiseAccounts
public import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Exports an account to a zip archive that the official apps can import.
public struct ExportArchive: Operation {
    /// Where an archive goes.
    @safe public enum Destination: Sendable {
        /// A file, which gets its name only once it is complete. Such an export is kept as a job.
        case file(FilePath)
        /// A stream, written once from start to end.
        case stream(@Sendable (UnsafeRawBufferPointer) throws -> Void)

        /// A descriptor, whose reader must take all of it.
        package static func descriptor(_ output: DescriptorOutput) -> Destination {
            return unsafe .stream { bytes in
                do {
                    try unsafe output.write(bytes)
                } catch is ReaderGone {
                    throw OperationError(
                        .failed,
                        "\(output.name) was closed before the archive was complete. The output is not a valid archive."
                    )
                }
            }
        }
    }

    package var account: AccountLocation
    package var destination: Destination
    package var options: ArchiveExport.Options
    /// Needed where media are chosen by their messages; else it proves that both databases open.
    package var passphrase: PassphraseSource
    /// Where a stream ends, if that is a descriptor: a file of the account is refused before anything is written.
    package var streamEnd: DescriptorOutput?

    /// - Parameters:
    ///   - account: the account to export.
    ///   - destination: where the archive goes.
    ///   - options: what is exported, and how.
    ///   - passphrase: verified first, if given.
    public init(
        of account: AccountLocation, to destination: Destination,
        options: ArchiveExport.Options = ArchiveExport.Options(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.destination = destination
        self.options = options
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> ExportPlan {
        let key = try await key(context)
        return try await context.blocking { progress in
            let archive: FilePath? = if case .file(let path) = destination { path } else { nil }
            let plan = try key.lent {
                try ArchiveExport(options).plan(account, to: archive, passphrase: $0, progress: progress)
            }
            context.note(InUseNote(account.directory.string, plan.inUse))
            return plan
        }
    }

    public func run(in context: OperationContext) async throws -> ExportReport {
        try await context.blocking { _ in try checkStreamEnd() }
        let key = try await key(context)
        let report =
            switch destination {
            case .file(let path):
                try await run(
                    ArchiveExportJob(
                        account, to: path, options, JobPassphrase(passphrase, isWanted: key != nil)), key,
                    context)
            case .stream(let write): try await unsafe run(write, key, context)
            }
        context.note(RecoveryNote(report.recovery))
        context.note(InUseNote(account.directory.string, report.inUse))
        context.tell(report.entryFailures)
        return report
    }

    private func run(
        _ job: ArchiveExportJob, _ key: SharedSecret?, _ context: OperationContext
    ) async throws -> ExportReport {
        try await OperationJobs(context).run(job) { context, session in
            try await context.blocking { progress in
                try key.lent {
                    try job.perform(
                        passphrase: $0, context, isResumed: session.isResumed,
                        isCancelled: { session.isCancelled }, progress: progress)
                }
            }
        }
    }

    private func run(
        _ write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void, _ key: SharedSecret?,
        _ context: OperationContext
    ) async throws -> ExportReport {
        do {
            return try await context.blocking { progress in
                try key.lent {
                    try unsafe ArchiveExport(options).export(
                        account, into: write, passphrase: $0, progress: progress)
                }
            }
        } catch let interruption as Interruption {
            context.note(ArchiveExportNote.nothingKept(.stream))
            throw interruption
        }
    }

    /// - Throws: `AccountError` with `invalid` for a file of the account; `FileError`.
    private func checkStreamEnd() throws {
        guard let streamEnd else { return }
        let file = try FileAttributes(descriptor: streamEnd.descriptor, path: streamEnd.name)
        let name = FilePath("/dev/fd/\(streamEnd.descriptor.rawValue)")
        guard file.kind == .regular, let path = try? FileSystem().resolve(name) else { return }
        try AccountPaths.refuse(path, for: "the archive", and: account)
    }

    private func key(_ context: OperationContext) async throws -> SharedSecret? {
        if case .media = options.scope {
            // Nobody is asked for a passphrase in vain.
            if case .file(let path) = destination {
                try await context.blocking { _ in try ArchiveExport(options).checkPlace(path, account) }
            }
            return try await passphrase.passphrase(of: account, in: context.asking(to: "select its media"))
        }
        return try await passphrase.known(of: account, in: context)
    }
}

extension ExportReport: OperationReport {
    public var entryFailures: [EntryFailure] { archiveErrors.map { EntryFailure($0) } }
}
