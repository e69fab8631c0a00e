import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct MigrateRun: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Migrate both databases atomically.",
        discussion: """
            The migrations run on copies. These are put in place only after both have been migrated and checked. The \
            previous databases are kept: 'valise migrate rollback' restores them, 'valise migrate confirm' removes \
            them. With --json the result has the form of the official programs. --confirm sets what is allowed \
            without asking: yesUp (upgrades), yesUpDown (downgrades too), error (nothing; the result lists pending \
            migrations), console (ask; the default on a terminal). --dry-run migrates copies and discards them.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var target: MigrationTarget

    @Option(help: "Allow without asking: yesUp, yesUpDown, error or console.")
    var confirm: String?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption

    @Option(help: "Form of sum types in JSON: tagged, or single-field as on Apple systems.")
    var jsonForm: JSONForm = .tagged

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let confirmation = confirmation() else {
            try print(.invalidConfirmation) { "--confirm must be yesUp, yesUpDown, error or console" }
            throw ExitStatusError(status: .usage)
        }
        let location = try account.find(output)
        let operation = MigrateAccount(
            location, to: target.targets, confirmation: confirmation, passphrase: passphrase.choice)
        let report: AccountMigrationReport
        do {
            // A dry run asks nothing.
            report = try output.run(
                operation, Answers(passphrase, yes: consent.yes || dryRun.isAsked), dryRun)
        } catch {
            try printFailure(error, location)
            throw error
        }
        let isAsked = confirmation == .console && !consent.yes && !dryRun.isAsked
        if isAsked, report.isRefused, !output.json { throw CommandError.declined }
        try print(report.result) {
            text(report, location, showsPlan: !isAsked).asDryRun(
                of: report, if: dryRun.isAsked && report.result == .ok)
        }
        if report.result != .ok { throw ExitStatusError(status: .failed) }
    }

    /// A failure of SQLite or of a key store has an official result, which replaces the usual
    /// error in JSON.
    private func printFailure(_ error: any Error, _ location: AccountLocation) throws {
        let inPlace = { (file: String) in
            location.directory.appending(FilePath(file).lastComponent?.string ?? file).string
        }
        guard output.json, let failure = error as? any Failure,
            let result = (error as? KeyStorageError)?.isStoreFailure == true
                ? .errorKeychain : MigrationResult(error, reporting: inPlace)
        else { return }
        try print(result) { "" }
        CommandLineMain.report(failure)
        throw ExitStatusError(status: ExitStatus(failure.code))
    }

    private func confirmation() -> MigrationConfirmation? {
        guard let confirm else { return consent.yes || passphrase.canAsk ? .console : .error }
        return MigrationConfirmation(rawValue: confirm)
    }

    private func print(_ result: MigrationResult, text: () -> String) throws {
        guard output.json else { return try StandardStreams.printText(text()) }
        try StandardStreams.printLine(JSONText.encode(result, sums: jsonForm.encoding))
    }

    /// - Parameter showsPlan: false where the plan was shown with the question.
    private func text(
        _ report: AccountMigrationReport, _ location: AccountLocation, showsPlan: Bool
    ) -> String {
        if report.result == .ok, report.plan.isEmpty { return "up to date" }
        var lines = showsPlan ? [report.plan.text] : []
        let seconds = Seconds.text(report.seconds)
        switch report.result {
        case .ok where report.keepsBackup:
            lines.append("migrated in \(seconds); the previous databases are kept")
            lines += RemedyCommand.notes([.confirmOrRollBack(.init(location))])
        case .ok: lines.append("copies of both databases were migrated in \(seconds)")
        default: lines += ["nothing was changed", remedy(report.result)]
        }
        return lines.joined(separator: "\n")
    }
}

extension AccountMigrationReport {
    /// Whether there is a way that was not allowed.
    fileprivate var isRefused: Bool {
        switch result {
        case .errorMigration(_, .upgrade), .errorMigration(_, .downgrade): true
        default: false
        }
    }
}

extension MigrateRun {
    private func remedy(_ result: MigrationResult) -> String {
        switch result {
        case .errorMigration(_, .upgrade): "hint: to allow the upgrade, add --confirm yesUp"
        case .errorMigration(_, .downgrade): "hint: to allow the downgrade, add --confirm yesUpDown"
        default: "there is no migration path"
        }
    }
}

/// The names of ``SumEncoding`` as an argument.
enum JSONForm: String, ExpressibleByArgument, CaseIterable {
    case tagged
    case singleField = "single-field"

    var encoding: SumEncoding { self == .tagged ? .tagged : .singleField }
}
