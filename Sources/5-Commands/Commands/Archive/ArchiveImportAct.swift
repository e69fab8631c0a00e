import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseJobQueue
import ValiseSecrets

/// `valise archive import` as a job.
struct ArchiveImportAct: JobbedAct {
    static let kind = "archive.import"
    static let queue = JobQueueName.archives

    private let archive: JobPath
    private let account: JobAccount
    private let options: ArchiveImport.Options
    private let passphrase: JobPassphrase
    /// The databases that were in place when the act was asked for.
    private let former: [JobFileMark?]

    init(
        _ archive: FilePath, into location: AccountLocation, _ options: ArchiveImport.Options,
        _ passphrase: JobPassphrase
    ) throws {
        self.archive = JobPath(archive)
        account = JobAccount(location)
        self.options = options
        self.passphrase = passphrase
        former = try Self.marks(location)
    }

    private static func marks(_ location: AccountLocation) throws -> [JobFileMark?] {
        try AccountDatabase.allCases.map { try JobFileMark(location.path(of: $0)) }
    }

    var title: String { "import of \(archive.absolute) into \(account.name)" }
    var identity: [String] { [account.identity, archive.absolute] }
    var remains: String? {
        "'valise account recover' removes what was unpacked beside the account, or completes what was decided"
    }

    func perform(
        passphrase: borrowing SecretBytes?, progress: ProgressHandler
    ) throws -> ImportReport {
        try ArchiveImport(options).import(
            archive.path, to: account.location, passphrase: passphrase, progress: progress)
    }

    // MARK: Going on

    func resume(_ context: ActContext) async throws -> ActResult {
        let done = try await BlockingAct.run(context.progress) { _ in try recover(context) }
        if let done { return done }
        let report = try await BlockingAct.run(context.progress) { progress in
            let key = try passphrase.key(for: account.location, archive.absolute, context.person)
            return try perform(passphrase: key, progress: progress)
        }
        if let warning = report.age?.warning(isDone: true) { context.note("warning: \(warning)") }
        if let warning = ImportText.warning(report.outlook) { context.note("warning: \(warning)") }
        return ActResult(
            json: try JSONText.encode(report),
            text: ([ImportText.text(report, directory: account.name)]
                + report.archiveErrors.map(ArchiveErrorText.text)).joined(separator: "\n"),
            hasEntryErrors: !report.archiveErrors.isEmpty)
    }

    /// Completes or removes what an earlier run left, and looks whether the import is done by that or was before. It is not
    /// done again then: the account may have been used since.
    private func recover(_ context: ActContext) throws -> ActResult? {
        try AccountRecovery.complete(account.location).map { context.note($0.doneSentence) }
        let now = try Self.marks(account.location)
        if now == former { return nil }
        guard try isImported(now) else {
            throw PersonNeeded(
                "\(account.name) was changed since this import was asked for; look at it, then give the import again, "
                    + "or 'valise jobs cancel {job}'")
        }
        return try .wasDone("archiveImported", "the account of \(archive.absolute) is in \(account.name)")
    }

    /// Whether the databases in place are those of the archive: the import gives them the times that they have there.
    private func isImported(_ marks: [JobFileMark?]) throws -> Bool {
        let index = try ZipIndex(FileSystem().openForReading(archive.path), limits: options.limits)
        return zip(AccountDatabase.allCases, zip(marks, former)).allSatisfy { database, marks in
            guard let found = marks.0, let entry = index.entry(named: database.archiveName) else {
                return false
            }
            return found.inode != marks.1?.inode && found.size == entry.size
                && (entry.modified.map { $0.seconds == found.modified } ?? true)
        }
    }
}
