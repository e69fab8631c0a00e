import ArgumentParser
public import Valise
import ValiseEncoding
import ValiseTerminal

struct KeyChange: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change, set or remove the passphrase of both databases.",
        discussion: """
            The new databases are written beside the previous ones, checked page by page and through SQLCipher, and \
            then put in place together. If this is interrupted, both databases still open with the same passphrase, \
            the previous one or the new one; 'valise account status' shows which. A damaged page stops the change \
            before anything is replaced. The app must not be running. With --dry-run, the passphrase, every page and \
            the free space are checked, and no new passphrase is needed.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the previous databases as .bak files; they open with the previous passphrase.")
    var keepBackup = false

    @OptionGroup var dryRun: DryRunOption

    @Option(help: "Form of sum types in JSON: tagged, or single-field as on Apple systems.")
    var jsonForm: JSONForm = .tagged

    @Option(
        help: ArgumentHelp(
            "Cipher implementation: libcrypto or multiBuffer; by default the fastest.",
            visibility: .hidden))
    var engine: PageEngineKind?

    func run() throws {
        var operation = ChangePassphrase(of: try account.find(output), from: passphrase.choice)
        operation.keepsBackup = keepBackup
        operation.engine = engine
        operation.allowsWeak = new.allowWeak
        let changed: ChangedPassphrase
        do {
            let answers = Answers(passphrase, yes: new.consent.yes)
            changed = try output.perform(answers) { [self, operation] context, work in
                var operation = operation
                operation.plansWithoutNew = !new.isGiven
                operation.new = { try await new.passphrase(passphrase.canAsk, work) }
                return try await dryRun.isAsked ? operation.plan(in: context) : operation.run(in: context)
            }
        } catch {
            try printOfficial(error)
            throw error
        }
        tellOfCopies(changed.report)
        if let stores = changed.stores {
            tell(stores, of: operation.account, decrypted: changed.report.plan.conversion == .decrypt)
        }
        try output.print(RekeyDocument(changed.report)) {
            (dryRun.isAsked ? plan(changed) : text(changed.report)).asDryRun(of: changed, if: dryRun.isAsked)
        }
    }

    /// In JSON, the official programs' error replaces the usual one.
    private func printOfficial(_ error: any Error) throws {
        guard output.json, let failure = error as? any Failure,
            let official = DatabaseEncryptionError(error)
        else { return }
        try StandardStreams.printLine(
            try JSONText.encode(ChatErrorDatabase(official), sums: jsonForm.encoding))
        CommandLineMain.report(failure)
        throw ExitStatusError(status: ExitStatus(failure.code))
    }

    private func tell(_ stores: StoredKeyUpdate, of account: AccountLocation, decrypted: Bool) {
        for store in stores.updated {
            output.note(
                decrypted
                    ? "removed the passphrase from the key store '\(store)'"
                    : "saved the new passphrase in the key store '\(store)'")
        }
        for failure in stores.failures {
            output.note("warning: a key store may still have the previous passphrase: \(failure.printable)")
            let store = KeyStoreChoice(name: failure.subject ?? "").map {
                [ShellWord.option("--store", $0.name)]
            }
            output.note(
                Hint("replace it", command: "key store", account.arguments, options: store ?? []).note)
        }
    }

    private func tellOfCopies(_ report: RekeyReport) {
        if report.keepsBackup {
            let opens =
                report.plan.conversion == .encrypt
                ? "are not encrypted" : "open with the previous passphrase"
            output.note("warning: the .bak files \(opens); remove them when you no longer need them")
        }
        if !report.plan.olderCopies.isEmpty {
            output.note(
                "warning: older copies still open with a previous passphrase: "
                    + report.plan.olderCopies.joined(separator: ", "))
        }
    }

    private func text(_ report: RekeyReport) -> String {
        guard report.changed else { return "the new passphrase is the current one; nothing was changed" }
        let seconds = Seconds.text(report.seconds)
        return switch report.plan.conversion {
        case .rekey: "changed the passphrase of both databases in \(seconds)"
        case .encrypt: "encrypted both databases in \(seconds)"
        case .decrypt: "decrypted both databases in \(seconds)"
        case .none: "nothing was changed"
        }
    }

    private func plan(_ changed: ChangedPassphrase) -> String {
        let plan = changed.report.plan
        let change =
            switch plan.conversion {
            case _ where changed.isSame: "the new passphrase is the current one: nothing would change"
            case .rekey: "would change the passphrase of both databases"
            case .encrypt: "would encrypt both databases"
            case .decrypt: "would decrypt both databases"
            case .none: "nothing would change"
            }
        let found =
            switch plan.conversion {
            case .rekey, .decrypt: "the passphrase is correct and every page is intact"
            case .encrypt, .none: "the databases are not encrypted and their structure is intact"
            }
        let hasJournal = plan.files.values.contains(where: \.needsFolding)
        return "\(change)\n\(found)" + (hasJournal ? "; a journal beside them was not checked" : "")
    }
}

extension PageEngineKind: ExpressibleByArgument {}
