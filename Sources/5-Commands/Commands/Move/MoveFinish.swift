import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct MoveFinish: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Finish a move: compare the words, retire the account here.",
        discussion: """
            Asks for the eight words shown by the other machine. If they match those of the sent account, and the \
            account has not been used since, it is retired: its databases are renamed so that no program starts it \
            by accident, and a marker file records the date of the move. Then the chunks are deleted from the \
            relays. If the words do not match, nothing is changed. Before that, the relays are asked whether the \
            other machine has confirmed receipt; if not, --unconfirmed is required.

            The retired account is kept until 'valise move remove', or removed at once with --remove. An app shows no \
            words. If an app received the account, check there that everything arrived, then enter the words shown by \
            'valise move status'.
            """)

    @OptionGroup var account: AccountOptions

    @Option(
        help: ArgumentHelp(
            "The words shown by the other machine. The default is to ask for them.", valueName: "words"))
    var words: String?

    @Flag(help: "Also remove the databases and media here.")
    var remove = false

    @Flag(help: "Finish although no machine has confirmed receipt, as after receiving in an app.")
    var unconfirmed = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    private static let tries = 3

    func run() throws {
        let location = try account.place(output)
        let answers = Answers(input, consent)
        let given = try words.map { try FingerprintWords(parsing: $0) }
        let report: FinishReport
        do {
            if dryRun.isAsked {
                let plan = try output.plan(operation(location, given, asking: { throw Interruption() }))
                return try output.show("moveFinish", would: plan.changes)
            }
            report = try output.perform(answers) { [self] context, work in
                try await operation(
                    location, given, asking: { try await work.atTerminal { try askedWords() } }
                ).run(in: context)
            }
        } catch let error as DeviceMigrationError where error.kind == .wrongWords {
            throw CommandError(
                .failed, error.message, subject: location.directory.string, remedy: error.remedy)
        }
        try output.print(report, type: "moveFinished") { text(report, location) }
    }

    private func operation(
        _ location: AccountLocation, _ given: FingerprintWords?,
        asking ask: @escaping @Sendable () async throws -> FingerprintWords
    ) -> FinishMove {
        var operation = FinishMove(of: location, asking: ask)
        operation.words = given
        operation.removesSource = remove
        operation.acceptsUnconfirmed = unconfirmed
        operation.proxy = proxy.proxy
        return operation
    }

    // MARK: Questions

    private func askedWords() throws -> FingerprintWords {
        guard input.canAsk else {
            throw CommandError(
                .invalid, "the words from the other machine are required. Nothing was changed.",
                hints: [Hint("provide them", options: "--words")])
        }
        return try Terminal.ask(
            "If they match, the account here is \(remove ? "removed" : "retired"). Enter the eight words from the "
                + "other machine: ", attempts: Self.tries,
            again: { (error: DeviceMigrationError) in "\(error.text)\nEnter all eight words again: " },
            parse: { line throws(DeviceMigrationError) in try FingerprintWords(parsing: line) })
    }

    // MARK: Result

    private func text(_ report: FinishReport, _ location: AccountLocation) -> String {
        var lines = ["the words match: the move is finished"]
        let directory = location.directory.string
        switch report.source {
        case .retired:
            lines += [
                FieldLine.text("here", "retired: the account in \(directory) cannot be opened by accident"),
                FieldLine.text("", "to remove it: valise move remove \(location.arguments)"),
                FieldLine.text("", "to restore it: valise move restore \(location.arguments)"),
            ]
        case .removed:
            lines.appendField("here", "removed from \(directory)")
            if report.mediaLeft { lines.appendField("", MoveRemove.mediaStay) }
        }
        if let archive = report.archiveLeft {
            lines.appendField(
                "archive", "\(archive) still exists; anyone with it and the passphrase has the account")
        } else if report.archive == nil {
            lines.appendField(
                "relays",
                report.chunksLeft == 0
                    ? "no chunks left"
                    : "\(Count.text(report.chunksLeft, "chunk")) could not be deleted and will expire")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
