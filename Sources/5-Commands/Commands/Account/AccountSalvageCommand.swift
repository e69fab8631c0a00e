import ArgumentParser
import Synchronization
import Valise

struct AccountSalvageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage", abstract: "Recover readable data from a damaged account into a new one.",
        discussion: """
            Only reads the damaged account. Pages with a valid HMAC are trusted. Every table is read page by page \
            around the damage, disconnected pages are returned to their tables, and SQLite itself is tried as well. \
            Rows that fit no table go into a separate database beside the new ones (lost_and_found). Rows that refer \
            to lost rows are kept unless --drop-orphans is given; the apps open the account either way. The new \
            account is created completely or not at all.

            The exit status is 0 if nothing is lost, and 3 otherwise.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: ArgumentHelp(
            "Folder for the new account; it must be missing or empty. A single argument is this folder.",
            valueName: "out"),
        completion: .directory)
    var out: String?

    func validate() throws { _ = try account.and(out, "out") }

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Also take rows from pages with an invalid HMAC: most may be right, none is verified.")
    var useDamaged = false

    @Flag(help: "Drop rows that refer to lost rows, or set the reference to NULL as the schema says.")
    var dropOrphans = false

    @Flag(help: "Do not copy media and wallpapers.")
    var noMedia = false

    @Flag(help: "If the salt is wrong, try salts that differ in one bit: up to a minute per database.")
    var repairSalt = false

    @Option(
        help: ArgumentHelp(
            "Take lost parts of the schema from this account, which has the same passphrase.",
            valueName: "dir"), completion: .directory)
    var schemaFrom: String?

    @OptionGroup var dryRun: DryRunOption

    /// Where this call would write: so do the commands that its hints name. Nil for other commands.
    static let target = Mutex<FilePath?>(nil)

    func run() throws {
        let (account, out) = try self.account.and(self.out, "out")
        var options = SalvageOptions()
        options.usesDamagedPages = useDamaged
        options.copiesMedia = !noMedia
        options.dropsOrphans = dropOrphans
        options.repairsSalt = repairSalt
        options.hint = cipher.hint
        options.schemaFrom = try schemaFrom.map { try AccountLocation.find(FilePath($0)) }
        let location = try account.find(output)
        let operation = SalvageAccount(
            location, to: FilePath(out), options: options, passphrase: passphrase.choice)
        Self.target.withLock { $0 = FilePath(out) }
        let report = try output.run(operation, Answers(passphrase), dryRun)
        // Now something is there.
        if !dryRun.isAsked { Self.target.withLock { $0 = nil } }
        try output.print(report, type: "accountSalvaged") {
            let repair = repairSalt ? nil : RemedyCommand.hints(.repairSalt(.init(location)))
            return SalvageText(report: report, isDryRun: dryRun.isAsked, repair: repair).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
