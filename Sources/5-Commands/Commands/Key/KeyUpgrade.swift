import ArgumentParser
import ValiseAccounts
import ValiseMaintenance
import ValisePages

struct KeyUpgrade: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract:
            "Bring databases of an older or custom cipher format to the one the official programs open.",
        discussion: """
            The defaults of SQLCipher 1 to 4 are found by themselves; for other key derivations say which. \
            The passphrase stays. The databases are copied, checked, and put in place as one act.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the former databases as .bak files.")
    var keepBackup = false

    @Flag(help: "Only tell which databases would be upgraded.")
    var dryRun = false

    func run() throws {
        let location = try account.find()
        let key = try AccountKey(location, passphrase, assumingEncrypted: cipher.hint != nil).key()
        let report = try JobbedWork.recoverably(
            "upgrade of the cipher", .cipherSettings, of: location, isDryRun: dryRun, output
        ) {
            try output.withProgress { progress in
                try CipherUpgrade().run(
                    location, passphrase: key, hint: cipher.hint, keepsBackup: keepBackup, dryRun: dryRun,
                    progress: progress)
            }
        }
        output.note(report.recovery)
        if report.keepsBackup {
            let why = keepBackup ? "" : "this format cannot tell damage from content, so "
            output.note("\(why)the former databases stay as .bak files")
        }
        try output.print(Result(report)) { text(report) }
    }

    private func text(_ report: CipherUpgrade.Report) -> String {
        AccountDatabase.allCases.map { database in
            guard let former = report.former[database], former != .format4 else {
                return "\(database.rawValue): has today's format"
            }
            let verb = report.upgraded.contains(database) ? "upgraded; it was" : "would be upgraded; it is"
            return "\(database.rawValue): \(verb) encrypted \(former.text)"
        }.joined(separator: "\n")
    }

    private struct Result: Encodable {
        let type = "keyUpgraded"
        let former: [String: CipherSettings]
        let upgraded: [AccountDatabase]
        let keepsBackup: Bool

        init(_ report: CipherUpgrade.Report) {
            former = Dictionary(
                report.former.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
            upgraded = report.upgraded
            keepsBackup = report.keepsBackup
        }
    }
}
