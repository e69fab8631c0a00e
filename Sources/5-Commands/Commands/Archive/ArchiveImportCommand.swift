import ArgumentParser
import Valise

struct ArchiveImportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Check a zip and put its account in place, atomically.",
        discussion: """
            The whole archive is checked and unpacked beside the account; with the passphrase, the databases \
            are checked as 'archive verify' does it: every page, tables, indexes and references, the schema, and \
            whether the two belong together. Only then is anything put in place. Interrupted at any moment, the \
            previous account or the new one is there. Media of the same name are replaced, others stay. Media \
            that are damaged are listed, and the exit status is 3; a damaged or missing database changes \
            nothing. Without the passphrase, encrypted databases are not looked into.

            --allow-damaged imports databases that are refused otherwise. Everything that is wrong with them is \
            listed, and the exit status is 3. A database whose checksum in the zip is wrong is refused all the \
            same; 'valise archive salvage' may save it.

            With --dry-run the archive is unpacked to nowhere and compared with what is there: which databases \
            and media would be replaced, what stays, what would not arrive, what it needs. Nothing is written, \
            and it ends with the status that the import would end with.

            --into-existing replaces an account. With --keep-former the replaced one stays, whole, in a folder \
            of that name inside of the account's: an account of its own, whose media are second names of the \
            same files and take no space. To go back, export it and import that with --into-existing. An account \
            that is newer than the archive, or another one, is only replaced with --keep-former or with \
            --replace-newer.

            Going back to an older state of an account can break its connections: every message moves a \
            connection's ratchet on, and what is sent from an older one cannot be decrypted on the other side. \
            Where the archive is older than the account that it replaces, a warning says so, and by what that \
            was told: by the databases where the passphrase opens both, else by the times of the files. The \
            stored passphrase of the account is used for that, or one is asked for.

            --as-archive imports a copy to look at. It is marked by a file PREFIX.valise-archive; status, check, \
            queries and exports work, and whatever would change or run the account is refused with status 14. \
            There is no way back but to import the archive once more. It goes into a folder of its own.

            With - the archive is read from standard input. What comes through a pipe is kept meanwhile in a file without \
            a name beside the account, and status 15 comes before that disk is full. Such an import is no job.
            """)

    @Argument(help: "The archive, or - for standard input.", completion: .file(extensions: ["zip"]))
    var archive: String

    @OptionGroup var account: AccountOptions

    @Flag(
        help: "Replace the account that is in the folder.")
    var intoExisting = false

    @Option(
        name: .customLong("keep-former"),
        help: ArgumentHelp(
            "Keep the replaced account in a folder of this name inside of the account's.", valueName: "name"))
    var keepPrevious: String?

    @Flag(help: "Import a copy that is only to be read.")
    var asArchive = false

    @Flag(help: "Replace the account even if it is newer than the archive, or another one.")
    var replaceNewer = false

    @Flag(help: "Import databases that are damaged, do not belong together, or have an unknown schema.")
    var allowDamaged = false

    @Flag(help: "Import an archive that holds entries which its directory does not name.")
    var allowHiddenEntries = false

    @Flag(help: "Only tell what would be done.")
    var dryRun = false

    @OptionGroup var limits: ArchiveLimitOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keepPrevious == nil || intoExisting else {
            throw ValidationError("--keep-former needs --into-existing.")
        }
        guard !replaceNewer || intoExisting else {
            throw ValidationError("--replace-newer needs --into-existing.")
        }
        guard !asArchive || !intoExisting || keepPrevious != nil else {
            throw ValidationError(
                "With --as-archive the account in the folder would be replaced by a copy that is only to be read. "
                    + "Import the copy into another folder, or keep the account with --keep-former.")
        }
    }

    private var options: ArchiveImport.Options {
        ArchiveImport.Options(
            replacesAccount: intoExisting, limits: limits.limits, keepsPreviousAs: keepPrevious,
            isReadOnly: asArchive, replacesNewer: replaceNewer, allowsDamaged: allowDamaged,
            allowsHiddenEntries: allowHiddenEntries)
    }

    func run() throws {
        let location = try account.place()
        let source = try ArchiveInput.source(
            archive, keeping: dryRun ? .temporary : .beside(location.directory), passphrase.source, output)
        let operation = ImportArchive(
            source, into: location, options: options, passphrase: passphrase.choice)
        if dryRun { return try show(try output.plan(operation, Answers(passphrase))) }
        let imported = try output.run(operation, Answers(passphrase))
        try output.print(imported) { ImportText.text(imported.report, directory: account.directory) }
        try end(imported.report.archiveErrors)
    }

    private func show(_ plan: ImportArchivePlan) throws {
        try output.print(plan, type: "archiveImportPlan") { ImportText.text(plan.plan, plan.schema) }
        if let refusal = plan.refusal {
            guard output.json else { throw refusal }
            // The plan is the one document.
            output.warn(refusal.text)
            throw ExitStatusError(status: ExitStatus(refusal.code))
        }
        if let warning = plan.plan.age?.warning(isDone: false) { output.warn(warning) }
        if plan.plan.outlook == .newerThanKnown { output.warn(ImportNote.madeByNewerProgram.text) }
        try end(plan.plan.archiveErrors)
    }

    private func end(_ errors: [ArchiveError]) throws {
        if !output.json { ArchiveErrorText.print(errors) }
        if !errors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }
}
