import ArgumentParser
import Valise
import ValiseTerminal

struct BackupRestore: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore an account from a snapshot.",
        discussion: """
            A new folder appears only when everything is restored. With --into-existing, an account is replaced atomically: \
            everything is restored beside it and checked, then put in place. If this is interrupted, you have either the \
            previous account or the restored one. Media of the same name are replaced; other media stay. With \
            --keep-previous, the previous account stays complete in a subfolder of that name.

            Databases that the snapshot keeps open are encrypted again, with the passphrase of a --passphrase option or the one \
            stored for the account. Otherwise you are asked for the passphrase of the account in place, or twice for a new \
            one. --new-passphrase options set another one. Sealed databases keep the passphrase of the day of the backup.

            Going back to an older state of an account can break its connections: every message advances the \
            connection's ratchet, and the other side cannot decrypt what an older ratchet sends. An account that is \
            newer than the snapshot, or a different account, is replaced only after a question that says so, or with \
            --replace-newer or --keep-previous.

            --only restores a part, by shell patterns of names as 'valise backup show' lists them; media/NAME is a file in \
            the media folder. Quote them. Into the folder of an account, only media that are missing there are restored, and \
            the account is not replaced. --database restores one database into a new folder.

            A profile or folder of Session is restored into a new folder only, byte for byte; its database is opened before the \
            folder appears, if its key is known.

            'latest' is the newest snapshot of the account in the folder, or else of the repository. Damaged and missing media \
            are listed, and the exit status is 3.
            """)

    @Argument(help: "The snapshot: the first digits of its ID, or latest.")
    var snapshot: String

    @OptionGroup var account: NamedAccountOptions

    @Option(help: ArgumentHelp("Restore only files that match. Repeatable.", valueName: "pattern"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Restore only this database: chat or agent.", valueName: "database"))
    var database: AccountDatabase?

    @Flag(help: "Replace the account in the folder.")
    var intoExisting = false

    @Option(help: ArgumentHelp("Keep the previous account in a subfolder of this name.", valueName: "name"))
    var keepPrevious: String?

    @Flag(help: "Replace the account even if it is newer than the snapshot or a different account.")
    var replaceNewer = false

    @OptionGroup var new: RestorePassphraseOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var repository: RepositoryChoiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard only.isEmpty || database == nil else {
            throw ValidationError("Use only one of --only and --database")
        }
        let isPart = !only.isEmpty || database != nil
        guard !intoExisting || !isPart else {
            throw ValidationError("--into-existing restores all of a snapshot")
        }
        guard intoExisting || (keepPrevious == nil && !replaceNewer) else {
            throw ValidationError("--keep-previous and --replace-newer need --into-existing")
        }
        guard !new.noEncryption || passphrase.choice.given == nil else {
            throw ValidationError("--no-encryption needs no passphrase")
        }
    }

    private var choice: RestoreChoice {
        var choice = RestoreChoice()
        choice.patterns = only
        choice.databases = database.map { [$0] } ?? []
        choice.replacesAccount = intoExisting
        choice.keepsPreviousAs = keepPrevious
        choice.acceptsOlder = replaceNewer
        choice.isUnencrypted = new.noEncryption
        choice.allowsWeak = new.allowWeak
        return choice
    }

    func run() throws {
        let input = try repository.input()
        let answers = Answers(passphrase, yes: consent.yes)
        if dryRun.isAsked {
            let plan = try output.perform(answers) {
                [self] (context, work: AsynchronousWork<RestorePlan>) in
                try await operation(input, work).plan(in: context)
            }
            return try show(plan)
        }
        let restored = try output.perform(answers) {
            [self] (context, work: AsynchronousWork<RestoredSnapshot>) in
            try await operation(input, work).run(in: context)
        }
        try output.print(restored, type: "backupRestored") { RestoreText.text(restored) }
        guard restored.hasEntryErrors else { return }
        if !output.json { SnapshotText.complain(restored.entryFailures) }
        throw ExitStatusError(status: .entryErrors)
    }

    private func operation<Value>(
        _ input: RepositoryInput, _ work: AsynchronousWork<Value>
    ) -> RestoreSnapshot {
        var operation = RestoreSnapshot(
            snapshot, in: input, to: FilePath(account.directory), passphrase: passphrase.choice
        ) { [passphrase, new] in
            try await work.newPassphrase(
                PassphraseSource(), passphrase.canAsk, allowWeak: new.allowWeak, otherwise: .passphraseMissing
            )
        }
        operation.prefix = account.use.prefix
        operation.options = choice
        operation.newPassphrase = new.given
        return operation
    }

    private func show(_ plan: RestorePlan) throws {
        try output.print(plan, type: "backupRestoredPlan") { RestoreText.text(plan).asDryRun(of: plan) }
        if let refusal = plan.refusal {
            guard output.json else { throw refusal }
            // The plan is the one document.
            output.warn(refusal.text)
            throw ExitStatusError(status: ExitStatus(refusal.code))
        }
        if let warning = plan.age?.warning(isDone: false, of: "snapshot") { output.warn(warning) }
    }
}
