import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseJobQueue
import ValiseSecrets

/// `valise archive export` as a job.
struct ArchiveExportAct: JobbedAct {
    static let kind = "archive.export"
    static let queue = JobQueueName.archives

    private let account: JobAccount
    private let archive: JobPath
    private let options: ArchiveExport.Options
    private let passphrase: JobPassphrase
    /// What was in the archive's place when the act was asked for.
    private let former: JobFileMark?

    init(
        _ location: AccountLocation, to archive: FilePath, _ options: ArchiveExport.Options,
        _ passphrase: JobPassphrase
    ) throws {
        account = JobAccount(location)
        self.archive = JobPath(archive)
        self.options = options
        self.passphrase = passphrase
        former = try JobFileMark(archive)
    }

    var title: String { "export of \(account.name) to \(archive.absolute)" }
    var identity: [String] { [account.identity, archive.absolute] }
    var remains: String? {
        "\(archive.absolute).partial, if it is there, is what was written so far, and can be removed"
    }

    func perform(
        passphrase: borrowing SecretBytes?, progress: ProgressHandler
    ) throws -> ExportReport {
        try ArchiveExport(options).export(
            account.location, to: archive.path, passphrase: passphrase, progress: progress)
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        // An archive gets its name when it is complete: another one there than before is this one. What is no archive of an
        // account is not, and the export says what it thinks of it.
        if let found = try JobFileMark(archive.path), found != former,
            (try? ArchiveListing(archive.path))?.isAccount == true
        {
            return try .wasDone(
                "archiveExported", "\(archive.absolute) was complete before the run that wrote it ended")
        }
        let report = try await BlockingAct.run(context.progress) { progress in
            let key = try passphrase.key(for: account.location, account.name, context.person)
            return try perform(passphrase: key, progress: progress)
        }
        report.recovery.map { context.note($0.doneSentence) }
        return ActResult(
            json: try JSONText.encode(report),
            text: ([ArchiveExportText.text(report)] + report.archiveErrors.map(ArchiveErrorText.text))
                .joined(separator: "\n"),
            hasEntryErrors: !report.archiveErrors.isEmpty)
    }
}
