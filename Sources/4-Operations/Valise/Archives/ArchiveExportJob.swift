import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseJobQueue
import ValiseSecrets

/// ``ExportArchive`` as a job.
struct ArchiveExportJob: DurableOperation {
    static let kind = "archive.export"
    static let queue = JobQueueName.archives

    private let account: JobAccount
    private let archive: JobPath
    private let options: ArchiveExport.Options
    private let passphrase: JobPassphrase
    /// What was in the archive's place when the export was asked for.
    private let previous: JobFileMark?

    private enum CodingKeys: String, CodingKey {
        case account, archive, options, passphrase
        case previous = "former"
    }

    init(
        _ location: AccountLocation, to archive: FilePath, _ options: ArchiveExport.Options,
        _ passphrase: JobPassphrase
    ) throws {
        account = JobAccount(location)
        self.archive = JobPath(archive)
        self.options = options
        self.passphrase = passphrase
        previous = try JobFileMark(archive)
    }

    var title: String { "export of \(account.name) to \(archive.absolute)" }
    var identity: [String] { [account.identity, archive.absolute] }
    var paths: [FilePath] { [account.location.directory, archive.path] }
    var sources: [JobSource] { [.account(account)] }
    var targets: [MarkedFile] { previous.map { [MarkedFile(archive, $0)] } ?? [] }
    var leftovers: JobLeftovers? { .partialArchive(FilePath("\(archive.absolute).partial")) }
    var mayAsk: Bool { passphrase.mayBeAskedFor }

    /// - Parameters:
    ///   - passphrase: where given, both databases are opened first to verify it.
    ///   - context: gets notes.
    ///   - isResumed: whether an earlier run of the same job did not end.
    ///   - isCancelled: whether nobody wants it any more, asked where it is stopped.
    ///   - progress: sees how far it is; throw to stop.
    func perform(
        passphrase: borrowing SecretBytes?, _ context: OperationContext, isResumed: Bool,
        isCancelled: @escaping @Sendable () -> Bool, progress: ProgressHandler
    ) throws -> ExportReport {
        var export = ArchiveExport(options)
        export.reportContinuation = { continuation in
            guard let note = ArchiveExportNote(continuation, isResumed: isResumed) else { return }
            context.note(note)
        }
        export.leavesArchive = { !isCancelled() }
        return try export.export(
            account.location, to: archive.path, passphrase: passphrase, progress: progress)
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        // An archive gets its name when it is complete: another one there than before is this one. What is no archive of an
        // account is not, and the export says what it thinks of it.
        if let found = try JobFileMark(archive.path), found != previous,
            (try? ArchiveListing(archive.path))?.isAccount == true
        {
            return try context.result(
                AlreadyDone("archiveExported", "\(archive.absolute) was already complete"))
        }
        try await context.requireSameSources()
        let key = try await passphrase.key(of: account.location, account.name, context)
        let operation = context.operation
        let isCancelled = context.isCancelled
        let report = try await operation.blocking { progress in
            try key.lent {
                try perform(
                    passphrase: $0, operation, isResumed: true, isCancelled: isCancelled,
                    progress: progress)
            }
        }
        context.operation.note(RecoveryNote(report.recovery))
        return try context.result(report)
    }
}
