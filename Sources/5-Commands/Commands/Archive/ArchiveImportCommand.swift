import ArgumentParser
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia
import ValiseSecrets

struct ArchiveImportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Check a zip and put its account in place, as one act.",
        discussion: """
            The whole archive is checked and unpacked beside the account; with the passphrase, the databases \
            are checked as 'archive verify' does it: every page, tables, indexes and references, the schema, and \
            whether the two belong together. Only then is anything put in place. Interrupted at any moment, the \
            former account or the new one is there. Media of the same name are replaced, others stay. Media \
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
        help: ArgumentHelp(
            "Keep the replaced account in a folder of this name inside of the account's.", valueName: "name"))
    var keepFormer: String?

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
        guard keepFormer == nil || intoExisting else {
            throw ValidationError("--keep-former needs --into-existing.")
        }
        guard !replaceNewer || intoExisting else {
            throw ValidationError("--replace-newer needs --into-existing.")
        }
        guard !asArchive || !intoExisting || keepFormer != nil else {
            throw ValidationError(
                "With --as-archive the account in the folder would be replaced by a copy that is only to be read. "
                    + "Import the copy into another folder, or keep the account with --keep-former.")
        }
    }

    private var options: ArchiveImport.Options {
        ArchiveImport.Options(
            replacesAccount: intoExisting, limits: limits.limits, keepsFormerAs: keepFormer,
            isReadOnly: asArchive, replacesNewer: replaceNewer, allowsDamaged: allowDamaged,
            allowsHiddenEntries: allowHiddenEntries)
    }

    func run() throws {
        let location = try account.place()
        let input = try ArchiveInput(
            archive, keeping: dryRun ? .temporary : .beside(location.directory), passphrase.source, output)
        let key = try key(location, input)
        if dryRun { return try plan(location, input, key) }
        let report =
            archive == FileStreams.dash
            ? try importStream(input, location, key) : try importFile(location, key)
        output.note(report.recovery)
        if let warning = report.age?.warning(isDone: true) { output.warn(warning) }
        if let warning = ImportText.warning(report.outlook) { output.warn(warning) }
        try output.print(report) { ImportText.text(report, directory: account.directory) }
        try end(report.archiveErrors)
    }

    private func importFile(
        _ location: AccountLocation, _ key: borrowing SecretBytes?
    ) throws -> ImportReport {
        let key = try key.duplicate()
        let act = try ArchiveImportAct(
            FilePath(archive), into: location, options, JobPassphrase(passphrase, isWanted: key != nil))
        return try JobbedWork.run(act, output) { _ in
            try output.withProgress { try act.perform(passphrase: key, progress: $0) }
        }
    }

    /// Nobody can go on with it later: what was read is gone.
    private func importStream(
        _ input: ArchiveInput, _ location: AccountLocation, _ key: borrowing SecretBytes?
    ) throws -> ImportReport {
        let key = try key.duplicate()
        return try output.withProgress { progress in
            try ArchiveImport(options, fileSystem: input.fileSystem).import(
                input.path, to: location, passphrase: key, progress: progress)
        }
    }

    /// Where an account is replaced, its stored passphrase or an answer lets the age be told by what is in both.
    private func key(_ location: AccountLocation, _ input: ArchiveInput) throws -> SecretBytes? {
        if let given = try passphrase.given() { return given }
        let (fileSystem, path) = (input.fileSystem, input.path)
        guard intoExisting, try fileSystem.exists(location.path(of: .agent)),
            let archive = try? ArchiveStorage(path, limits: options.limits, fileSystem: fileSystem),
            (try? AccountReader(archive).isEncrypted(.agent)) == true
        else { return nil }
        // The archive may have another one: that is no failure.
        if let stored = try passphrase.stored(for: location),
            try ArchiveImport(options, fileSystem: fileSystem).opens(path, passphrase: stored)
        {
            return stored
        }
        guard passphrase.canAsk else { return nil }
        let answer = try passphrase.source.ask(for: "\(path) (nothing to go by the times of the files)")
        if answer.isEmpty { return nil }
        return answer
    }

    private func plan(
        _ location: AccountLocation, _ input: ArchiveInput, _ key: borrowing SecretBytes?
    ) throws {
        let key = try key.duplicate()
        let plan = try output.withProgress { progress in
            try ArchiveImport(options, fileSystem: input.fileSystem).plan(
                input.path, to: location, passphrase: key, progress: progress)
        }
        let schema = plan.databasesOpened ? try schema(input, key) : nil
        let refusal = refusal(plan, input, location)
        let result = PlanResult(plan: plan, schema: schema, refusal: refusal?.sentenceWithRemedy)
        try output.print(result, type: "archiveImportPlan") { ImportText.text(plan, schema) }
        if let refusal {
            guard output.json else { throw refusal }
            // The plan is the one document.
            output.warn(refusal.text)
            throw ExitStatusError(status: ExitStatus(refusal.code))
        }
        if let warning = plan.age?.warning(isDone: false) { output.warn(warning) }
        if let warning = ImportText.warning(plan.outlook) { output.warn(warning) }
        try end(plan.archiveErrors)
    }

    /// Why the import would change nothing, where the plan tells that instead of throwing.
    private func refusal(
        _ plan: ImportPlan, _ input: ArchiveInput, _ location: AccountLocation
    ) -> (any Failure)? {
        guard plan.fits else {
            return CommandError(
                .noSpace, "the import needs \(plan.spaceNeeded) bytes and \(plan.freeSpace) are free")
        }
        return ArchiveImport(options).refusal(plan.age, input.path, at: location)
    }

    private func schema(
        _ input: ArchiveInput, _ key: borrowing SecretBytes?
    ) throws -> ArchivedSchema {
        let archive = try ArchiveStorage(
            input.path, limits: options.limits, fileSystem: input.fileSystem)
        return try ArchivedSchema(
            AccountReader(archive), passphrase: try key.duplicate() ?? SecretBytes.empty())
    }

    private func end(_ errors: [ArchiveError]) throws {
        if !output.json { ArchiveErrorText.print(errors) }
        if !errors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    /// The plan, and what another library tells of the same archive.
    private struct PlanResult: Encodable {
        let plan: ImportPlan
        let schema: ArchivedSchema?
        /// Why the import would change nothing.
        let refusal: String?

        func encode(to encoder: any Encoder) throws {
            try plan.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeIfPresent(schema?.state, forKey: .schema)
            try container.encodeIfPresent(schema?.databases, forKey: .schemas)
            try container.encodeIfPresent(refusal, forKey: .refusal)
        }

        private enum Key: String, CodingKey { case schema, schemas, refusal }
    }
}
