import ArgumentParser
import Valise

struct ArchiveImportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Check an archive and import its account, atomically.",
        discussion: """
            The archive may be a zip, tar (also compressed with gzip, xz or Zstandard), cpio or 7z file, whatever \
            its name is. The whole archive is checked and unpacked beside the account. With the passphrase, the \
            databases are checked as by 'valise archive verify': every page, tables, indexes and references, the \
            schema, and whether the two belong together. Only then is anything put in place. If the import is \
            interrupted, you have either the previous account or the new one. Media of the same name are replaced; \
            other media stay. Damaged media are listed, and the exit status is 3. If a database is damaged or \
            missing, nothing is changed. Without the passphrase, encrypted databases are not checked.

            --allow-damaged imports databases that would be refused. All problems are listed, and the exit status \
            is 3. A database with a wrong checksum in the zip is still refused; 'valise archive salvage' may \
            recover it.

            --dry-run reads the archive and compares it with the account: which databases and media would be \
            replaced, what stays, what would be missing, and how much space is needed. Nothing is written. The exit \
            status is that of the import.

            --into-existing replaces an account. You are asked to confirm once the archive has been checked. With \
            --keep-previous, the previous account stays complete in a subfolder of that name. Its media are hard links and \
            take no space. To roll back, export it and import that archive with --into-existing. An account that is newer \
            than the archive, or a different account, is replaced only with --keep-previous or --replace-newer.

            Going back to an older state of an account can break its connections. Every message advances the \
            connection's ratchet, and the other side cannot decrypt what an older ratchet sends. If the archive is \
            older than the account that it replaces, a warning says so and names the evidence: the databases if the \
            passphrase opens both, else the file times. The account's stored passphrase is used for that, or you \
            are asked for it.

            --as-archive imports a read-only copy into a separate folder, marked by a file PREFIX.valise-archive. \
            Status, check, queries and exports work. Commands that would change or run the account are refused with \
            status 14. To get a usable account, import the archive again.

            With -, the archive is read from standard input. A piped archive is kept in an unnamed temporary file \
            beside the account, and the import stops with status 15 before that disk is full. Archives other than zip \
            are unpacked to such a file first, and need twice the space. Such imports are not recorded as jobs.
            """)

    @Argument(help: "The archive, or - for standard input.", completion: .file())
    var archive: String

    @OptionGroup var account: NamedAccountOptions

    @Flag(help: "Replace the account in the folder.")
    var intoExisting = false

    @Option(help: ArgumentHelp("Keep the previous account in a subfolder of this name.", valueName: "name"))
    var keepPrevious: String?

    @Option(help: .hidden)
    var keepFormer: String?

    @Flag(help: "Import a read-only copy.")
    var asArchive = false

    @Flag(help: "Replace the account even if it is newer than the archive or a different account.")
    var replaceNewer = false

    @Flag(help: "Import databases that are damaged, do not belong together, or have an unknown schema.")
    var allowDamaged = false

    @Flag(help: "Import an archive with entries that its directory does not list.")
    var allowHiddenEntries = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var limits: ArchiveLimitOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keptName == nil || intoExisting else {
            throw ValidationError("--keep-previous needs --into-existing")
        }
        guard !replaceNewer || intoExisting else {
            throw ValidationError("--replace-newer needs --into-existing")
        }
        guard !asArchive || !intoExisting || keptName != nil else {
            throw ValidationError(
                "--as-archive would replace the account with a read-only copy. "
                    + "Import into another folder, or keep the account with --keep-previous.")
        }
    }

    private var keptName: String? { keepPrevious ?? keepFormer }

    private var options: ArchiveImport.Options {
        ArchiveImport.Options(
            replacesAccount: intoExisting, limits: limits.limits, keepsPreviousAs: keptName,
            isReadOnly: asArchive, replacesNewer: replaceNewer, allowsDamaged: allowDamaged,
            allowsHiddenEntries: allowHiddenEntries)
    }

    func run() throws {
        if keepFormer != nil { output.note("--keep-former is now called --keep-previous") }
        let location = try account.place()
        let operation = ImportArchive(
            try ArchiveInput.source(archive, passphrase.source), into: location, options: options,
            passphrase: passphrase.choice)
        if dryRun.isAsked { return try show(try output.plan(operation, Answers(passphrase))) }
        let imported = try output.run(operation, Answers(passphrase, yes: consent.yes))
        try output.print(imported) {
            ImportText.text(imported.report, directory: account.directory, isQuiet: output.quiet)
        }
        try end(imported.report.archiveErrors)
    }

    private func show(_ plan: ImportArchivePlan) throws {
        try output.print(plan, type: "archiveImportPlan") {
            ImportText.text(plan.plan, plan.schema).asDryRun(of: plan)
        }
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
