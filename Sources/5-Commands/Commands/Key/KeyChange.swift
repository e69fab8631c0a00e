public import ArgumentParser
public import Valise
import ValiseEncoding

struct KeyChange: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change, set or remove the passphrase of both databases, atomically.",
        discussion: """
            The new databases are written beside the previous ones, checked page by page and through SQLCipher, \
            and then put in place together. Interrupted at any moment, both databases open with the same \
            passphrase, the previous one or the new one; 'valise account status' says which. A damaged page \
            stops the change before anything is replaced. The app must not run.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the previous databases as .bak files, which open with the previous passphrase.")
    var keepBackup = false

    @Flag(help: "Check the passphrase, every page and the space, and change nothing.")
    var dryRun = false

    @Option(help: "Sums in the JSON: tagged or single-field, as on Apple systems.")
    var jsonForm: JSONForm = .tagged

    @Option(
        help: ArgumentHelp(
            "The implementation of the cipher: libcrypto or multiBuffer; the fastest one unless said.",
            visibility: .hidden))
    var engine: PageEngineKind?

    func run() throws {
        var operation = ChangePassphrase(of: try account.find(), from: passphrase.choice)
        operation.keepsBackup = keepBackup
        operation.engine = engine
        let changed: ChangedPassphrase
        do {
            changed = try output.perform(Answers(passphrase)) { [self, operation] context, work in
                var operation = operation
                operation.new = { try await new.passphrase(canAsk: passphrase.canAsk, work) }
                return try await dryRun ? operation.plan(in: context) : operation.run(in: context)
            }
        } catch {
            try printOfficial(error)
            throw error
        }
        tellOfCopies(changed.report)
        if let stores = changed.stores { tell(stores, decrypted: changed.report.plan.conversion == .decrypt) }
        try output.print(Result(changed.report)) { text(changed.report) }
    }

    /// The official programs' error takes the place of the usual one in JSON.
    private func printOfficial(_ error: any Error) throws {
        guard output.json, let failure = error as? any Failure,
            let official = DatabaseEncryptionError(error)
        else { return }
        try StandardStreams.printLine(
            try JSONText.encode(ChatErrorDatabase(official), sums: jsonForm.encoding))
        StandardStreams.complain("\(failure.printable)")
        throw ExitStatusError(status: ExitStatus(failure.code))
    }

    private func tell(_ stores: StoredKeyUpdate, decrypted: Bool) {
        for store in stores.updated {
            output.note(
                decrypted
                    ? "the key store '\(store)' has forgotten the passphrase"
                    : "the key store '\(store)' has the new passphrase now")
        }
        for failure in stores.failures {
            output.note(
                "warning: a key store may still have the previous passphrase; 'valise key store' puts the new "
                    + "one there: \(failure.printable)")
        }
    }

    private func tellOfCopies(_ report: RekeyReport) {
        if report.keepsBackup {
            let opens =
                report.plan.conversion == .encrypt
                ? "are not encrypted" : "open with the previous passphrase"
            output.note("warning: the .bak files \(opens); remove them when they are not needed any more")
        }
        if !report.plan.olderCopies.isEmpty {
            output.note(
                "warning: older copies are left that open with a previous passphrase: "
                    + report.plan.olderCopies.joined(separator: ", "))
        }
    }

    private func text(_ report: RekeyReport) -> String {
        guard report.changed else {
            if dryRun { return dryRunText(report) }
            return "the new passphrase is the current one; nothing was changed"
        }
        let seconds = Seconds.text(report.seconds)
        return switch report.plan.conversion {
        case .rekey: "changed the passphrase of both databases in \(seconds)"
        case .encrypt: "encrypted both databases in \(seconds)"
        case .decrypt: "removed the encryption of both databases in \(seconds)"
        case .none: "nothing was changed"
        }
    }

    private func dryRunText(_ report: RekeyReport) -> String {
        let found =
            switch report.plan.conversion {
            case .rekey, .decrypt: "the passphrase is right and every page is sound"
            case .encrypt, .none: "the databases are not encrypted, and their structure is sound"
            }
        let hasJournal = report.plan.files.values.contains(where: \.needsFolding)
        return found + (hasJournal ? "; a journal beside them was not looked at" : "")
            + "; nothing was changed"
    }

    private struct Result: Encodable {
        let type = "cmdOk"
        let conversion: RekeyConversion
        let changed: Bool
        let keepsBackup: Bool
        let olderCopies: [String]
        let spaceNeeded: Int64
        let freeSpace: Int64
        let seconds: Double

        init(_ report: RekeyReport) {
            conversion = report.plan.conversion
            changed = report.changed
            keepsBackup = report.keepsBackup
            olderCopies = report.plan.olderCopies
            spaceNeeded = report.plan.spaceNeeded
            freeSpace = report.plan.freeSpace
            seconds = report.seconds
        }
    }
}

extension PageEngineKind: ExpressibleByArgument {}
