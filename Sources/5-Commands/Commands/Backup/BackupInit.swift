import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct BackupInit: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a repository for backups.",
        discussion: """
            The repository gets a password of its own, which guards the messages as the passphrase of an account does: it \
            is judged in the same way, and typed twice or generated. Without the password, everything in the repository \
            is lost. --sheet writes a page to print, with the password as text and as a QR code. Further passwords can \
            be added with 'valise backup key add'. restic opens the repository too.
            """)

    @Argument(
        help: ArgumentHelp(
            "Where to create it: a folder, sftp:USER@HOST:PATH, rest:https://HOST/PATH or s3:https://HOST/BUCKET/PREFIX. "
                + "If left out: RESTIC_REPOSITORY.", valueName: "repo"))
    var repo: String?

    @OptionGroup var password: RepositoryPasswordOptions
    @OptionGroup var input: InputOptions

    @Flag(help: "Accept a password that is easy to guess.")
    var allowWeak = false

    @Option(
        help: ArgumentHelp(
            "Version of the format: 1, or 2 with compression, which restic reads since 0.14.",
            valueName: "version"))
    var repositoryVersion: Int?

    @Option(
        help: ArgumentHelp("Write a recovery sheet to this file, .pdf or .svg.", valueName: "file"),
        completion: .file())
    var sheet: String?

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if sheet != nil, sheetFormat == nil {
            throw ValidationError("The name of the sheet ends in neither .pdf nor .svg")
        }
        if let repositoryVersion, !(1...2).contains(repositoryVersion) {
            throw ValidationError("--repository-version is 1 or 2")
        }
    }

    func run() throws {
        let place = try place()
        let report = try output.change(
            InitializeRepository.self, "backupInit", dryRun, input.canAsk
        ) { work in
            var operation = InitializeRepository(at: place) {
                try await work.newPassphrase(
                    PassphraseSource(password.given), input.canAsk, allowWeak: allowWeak,
                    for: .repository, otherwise: .newPasswordMissing)
            }
            operation.access = try StorageAccess(variable: UserFolders.variable)
            operation.allowsWeak = allowWeak
            operation.version = repositoryVersion ?? operation.version
            operation.sheet = recoverySheet
            return operation
        }
        if let report { try output.print(report) { text(report) } }
    }

    private func place() throws -> RepositoryPlace {
        guard let text = repo ?? UserFolders.variable("RESTIC_REPOSITORY") else {
            throw ValidationError("Name the place of the repository, or set RESTIC_REPOSITORY")
        }
        return try RepositoryPlace(text)
    }

    private func text(_ report: InitializedRepository) -> String {
        let sheet = report.sheet.map {
            "wrote the recovery sheet to \($0.file); print it and remove the file"
        }
        let backup = Hint(
            "back up an account", command: "backup run", "--repo \(ShellWord(report.place).text)")
        return [
            "created the repository \(report.repository.prefix(8)) in \(report.place.withoutControls)",
            sheet?.withoutControls,
            "Without its password, everything in the repository is lost. Keep the password where it survives this "
                + (sheet == nil ? "machine: there is no recovery sheet." : "machine."),
            backup.note,
        ].compactMap { $0 }.joined(separator: "\n")
    }

    private var sheetFormat: RecoverySheet.Format? {
        sheet.flatMap { RecoverySheet.Format(rawValue: FilePath($0).extension ?? "") }
    }

    private var recoverySheet: RepositorySheet? {
        guard let sheet, let format = sheetFormat else { return nil }
        return RepositorySheet(
            to: FilePath(sheet), as: format, date: LocalTime().date,
            usage: [
                "With Valise: type it when a command asks for the password of the repository, or write it to a file that "
                    + "only you can read and use --password-file."
            ])
    }
}
