import ArgumentParser
import Valise

struct KeyUpgrade: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Convert older or custom cipher formats to the current one.",
        discussion: """
            The official programs open only the current format. SQLCipher 1 to 4 defaults are detected; use options \
            for others. The passphrase does not change. Databases are copied, checked and replaced atomically.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the previous databases as .bak files.")
    var keepBackup = false

    @OptionGroup var dryRun: DryRunOption

    func run() throws {
        var operation = UpgradeCipher(of: try account.find(output), passphrase: passphrase.choice)
        operation.hint = cipher.hint
        operation.keepsBackup = keepBackup
        let report = try output.run(operation, Answers(passphrase), dryRun)
        if report.keepsBackup {
            let why = keepBackup ? "" : "damage in this format cannot be detected, so "
            output.note("\(why)the previous databases are kept as .bak files")
        }
        try output.print(CipherUpgradeDocument(report)) {
            text(report).asDryRun(of: report, if: dryRun.isAsked)
        }
    }

    private func text(_ report: CipherUpgradeReport) -> String {
        AccountDatabase.allCases.map { database in
            guard let previous = report.previous[database], previous != .format4 else {
                return "\(database.rawValue): already in the current format"
            }
            let verb = report.upgraded.contains(database) ? "upgraded; it was" : "would be upgraded; it is"
            return "\(database.rawValue): \(verb) encrypted \(previous.text)"
        }.joined(separator: "\n")
    }
}
