import ArgumentParser
import Valise

struct AccountSalvageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Save everything that can be read of a damaged account into a new one.",
        discussion: """
            The damaged account is only read. Pages whose HMAC holds are trusted; every table is read page \
            by page around the damage, pages that lost their connection are brought back to their tables, \
            and SQLite itself is asked as well. Rows that fit nowhere go into a database of their own beside \
            the new ones (lost_and_found). Rows that refer to lost rows are kept unless --drop-orphans; the \
            apps open the account either way. The new account is there whole, or not at all.

            Exit status 0 when nothing is lost, 3 when something is.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: ArgumentHelp("The folder of the new account: not there yet, or empty.", valueName: "out"),
        completion: .directory)
    var out: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Take rows from pages whose HMAC does not hold, too: most may be right, nothing is proved.")
    var useDamaged = false

    @Flag(help: "Leave out rows that refer to lost rows, or set the reference to NULL as the schema says.")
    var dropOrphans = false

    @Flag(help: "Do not copy media and wallpapers.")
    var noMedia = false

    @Flag(help: "Try the salts that differ in one bit, where none fits: up to a minute for each database.")
    var repairSalt = false

    @Option(
        help: ArgumentHelp(
            "Take what is lost of the schema from this account, which has the same passphrase.",
            valueName: "dir"), completion: .directory)
    var schemaFrom: String?

    @Flag(help: "Only tell what would be saved; nothing is left at <out>.")
    var dryRun = false

    func run() throws {
        var options = SalvageOptions()
        options.usesDamagedPages = useDamaged
        options.copiesMedia = !noMedia
        options.dropsOrphans = dropOrphans
        options.repairsSalt = repairSalt
        options.hint = cipher.hint
        options.schemaFrom = try schemaFrom.map { try AccountLocation.find(FilePath($0)) }
        let operation = SalvageAccount(
            try account.find(), to: FilePath(out), options: options, passphrase: passphrase.choice)
        let report =
            try dryRun
            ? output.plan(operation, Answers(passphrase)) : output.run(operation, Answers(passphrase))
        try output.print(report, type: "accountSalvaged") {
            SalvageText(report, isDryRun: dryRun).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
