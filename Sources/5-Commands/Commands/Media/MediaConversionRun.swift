import ArgumentParser
import ValiseAccounts
import ValiseMedia
import ValiseSecrets

/// What `valise media encrypt` and `decrypt` do.
struct MediaConversionRun<Choice: MediaDirectionChoice> {
    private let account: AccountOptions
    private let selection: MediaSelectionOptions
    private let isDryRun: Bool
    private let passphrase: PassphraseOptions
    private let output: OutputOptions

    init(
        _ account: AccountOptions, _ selection: MediaSelectionOptions, _ isDryRun: Bool,
        _ passphrase: PassphraseOptions, _ output: OutputOptions
    ) {
        self.account = account
        self.selection = selection
        self.isDryRun = isDryRun
        self.passphrase = passphrase
        self.output = output
    }

    func run() throws {
        let location = try account.find()
        let key = try AccountKey(location, passphrase).key()
        let report = isDryRun ? try plan(location, key) : try convert(location, key)
        output.note(report.recovery)
        if Choice.direction == .encrypt, !report.isDatabaseEncrypted, report.files > 0 {
            output.note(
                "the chat database is not encrypted, and it holds the keys: 'valise key change' sets a passphrase"
            )
        }
        try output.print(report, type: isDryRun ? "mediaConversionPlan" : "mediaConverted") {
            MediaConversionText(Choice.direction, isDryRun: isDryRun).text(report)
        }
        if report.leftCount > 0 { throw ExitStatusError(status: .entryErrors) }
    }

    private func plan(
        _ location: AccountLocation, _ key: borrowing SecretBytes
    ) throws -> MediaConversionReport {
        try output.withProgress { progress in
            try MediaConversion(Choice.direction, selection.selection)
                .plan(location, passphrase: key, progress: progress)
        }
    }

    private func convert(
        _ location: AccountLocation, _ key: borrowing SecretBytes
    ) throws -> MediaConversionReport {
        let act = MediaConversionAct<Choice>(
            location, selection.selection, JobPassphrase(passphrase, isWanted: !key.isEmpty))
        return try JobbedWork.run(act, output) { _ in
            try output.withProgress { try act.perform(passphrase: key, progress: $0) }
        }
    }
}
