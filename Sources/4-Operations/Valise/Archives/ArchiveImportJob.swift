import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFiles
import ValiseJobQueue
import ValiseSecrets

/// ``ImportArchive`` as a job.
struct ArchiveImportJob: DurableOperation {
    static let kind = "archive.import"
    static let queue = JobQueueName.archives

    private let archive: JobPath
    private let account: JobAccount
    private let options: ArchiveImport.Options
    private let passphrase: JobPassphrase
    /// The databases that were in place when the import was asked for.
    private let previous: [JobFileMark?]

    private enum CodingKeys: String, CodingKey {
        case archive, account, options, passphrase
        case previous = "former"
    }

    init(
        _ archive: FilePath, into location: AccountLocation, _ options: ArchiveImport.Options,
        _ passphrase: JobPassphrase
    ) throws {
        self.archive = JobPath(archive)
        account = JobAccount(location)
        self.options = options
        self.passphrase = passphrase
        previous = try Self.marks(location)
    }

    private static func marks(_ location: AccountLocation) throws -> [JobFileMark?] {
        try AccountDatabase.allCases.map { try JobFileMark(location.path(of: $0)) }
    }

    var title: String { "import of \(archive.absolute) into \(account.name)" }
    var identity: [String] { [account.identity, archive.absolute] }
    var paths: [FilePath] { [account.location.directory, archive.path] }
    var targets: [MarkedFile] { account.location.marked(previous) }
    var leftovers: JobLeftovers? { .unpackedArchive }
    var mayAsk: Bool { passphrase.mayBeAskedFor }

    /// - Parameter content: the archive, which was looked at before.
    func perform(
        _ content: ArchiveStorage, passphrase: borrowing SecretBytes?, progress: ProgressHandler
    ) throws -> ImportReport {
        try ArchiveImport(options).import(
            from: content, to: account.location, passphrase: passphrase, progress: progress)
    }

    private func content() throws -> ArchiveStorage {
        try ArchiveStorage(archive.path, limits: options.limits)
    }

    // MARK: Resuming

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        if let done = try await context.operation.blocking({ _ in try recover(context) }) {
            return try context.result(done)
        }
        let key = try await passphrase.key(of: account.location, archive.absolute, context)
        let report = try await context.operation.blocking { progress in
            try key.lent { try perform(content(), passphrase: $0, progress: progress) }
        }
        ImportNote.tell(report, context.operation)
        return try context.result(ImportedArchive(report: report, account: account.name))
    }

    /// Completes or removes what an earlier run left, and looks whether the import is done by that or was before. It is not
    /// done again then: the account may have been used since.
    private func recover(_ context: ResumptionContext) throws -> AlreadyDone? {
        context.operation.note(RecoveryNote(try AccountWriter.complete(account.location)))
        let now = try Self.marks(account.location)
        if now == previous { return nil }
        guard try isImported(now) else { throw UserNeeded(.changedAccount(account.name)) }
        return AlreadyDone("archiveImported", "\(archive.absolute) was already imported into \(account.name)")
    }

    /// Whether the databases in place are those of the archive: the import gives them the times that they have there.
    private func isImported(_ marks: [JobFileMark?]) throws -> Bool {
        let index = try content().index
        return zip(AccountDatabase.allCases, zip(marks, previous)).allSatisfy { database, marks in
            guard let found = marks.0, let entry = index.entry(named: database.archiveName) else {
                return false
            }
            return found.inode != marks.1?.inode && found.size == entry.size
                && (entry.modified.map { $0.seconds == found.modified } ?? true)
        }
    }
}
