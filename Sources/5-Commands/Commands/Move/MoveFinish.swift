import ArgumentParser
import Valise

struct MoveFinish: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "End a move on the old machine: compare the words, take the account here out of use.",
        discussion: """
            Asks for the eight words that the other machine shows. Where they are those of the account that was sent, and \
            it was not used since, it is retired: its databases get other names, so that no program starts it by \
            accident, and a mark says when it was moved. Then the chunks are deleted from the relays. Other words change \
            nothing.

            The retired account stays until 'valise move remove', or goes at once with --remove. An app shows no words: \
            look there whether all is there, and give those that 'valise move status' shows.
            """)

    @OptionGroup var account: AccountOptions

    @Option(
        help: ArgumentHelp(
            "The words that the other machine shows; without, you are asked for them.", valueName: "words"))
    var words: String?

    @Flag(help: "Remove databases and media here too.")
    var remove = false

    @Flag(help: "Remove without the question.")
    var yes = false

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    private static let tries = 3

    func run() throws {
        let location = try account.place()
        var answers = Answers()
        (answers.canAsk, answers.isYes) = (!noInput && Terminal.isThere, yes)
        let given = try words.map { try ProofWords(parsing: $0) }
        let report: FinishReport
        do {
            report = try output.perform(answers) { [self] context, work in
                var operation = FinishMove(
                    of: location, asking: { try await work.atTerminal { try askedWords() } })
                operation.words = given
                operation.removesSource = remove
                operation.proxy = proxy.proxy
                return try await operation.run(in: context)
            }
        } catch let error as DeviceMigrationError where error.kind == .wrongWords {
            throw CommandError(.failed, error.message, subject: location.directory.string)
        }
        try output.print(report, type: "moveFinished") { text(report, location) }
    }

    // MARK: Questions

    private func askedWords() throws -> ProofWords {
        guard !noInput, Terminal.isThere else {
            throw CommandError(
                .invalid,
                "the words of the other machine are needed and nobody can be asked; give them with --words; nothing was "
                    + "changed")
        }
        return try ask()
    }

    private func ask() throws -> ProofWords {
        var prompt = "The eight words that the other machine shows: "
        for attempt in 1... {
            let line = try Terminal.askLine(prompt)
            guard !line.isEmpty else { throw Interruption() }
            do {
                return try ProofWords(parsing: line)
            } catch {
                guard attempt < Self.tries else { throw error }
                prompt = "\(error.message)\nOnce more, all eight: "
            }
        }
        throw Interruption()
    }

    // MARK: Result

    private func text(_ report: FinishReport, _ location: AccountLocation) -> String {
        var lines = ["the words are the same: the account has moved, and the other machine has it whole"]
        let directory = location.directory.string
        switch report.source {
        case .retired:
            lines += [
                FieldLine.text(
                    "here", "retired: no program starts what is left in \(directory) by accident"),
                FieldLine.text(
                    "", RemedyCommand.quoted("valise move remove \(location.arguments)") + " removes it,"),
                FieldLine.text(
                    "", RemedyCommand.quoted("valise move restore \(location.arguments)") + " brings it back"),
            ]
        case .removed:
            lines.append(FieldLine.text("here", "removed from \(directory)"))
            if report.mediaLeft { lines.append(FieldLine.text("", MoveRemove.mediaStay)) }
        }
        if let archive = report.archiveLeft {
            lines.append(
                FieldLine.text(
                    "archive", "\(archive) is still there; whoever has it and the passphrase has all"))
        } else if report.archive == nil {
            lines.append(
                FieldLine.text(
                    "relays",
                    report.chunksLeft == 0
                        ? "nothing is left there"
                        : "\(Count.text(report.chunksLeft, "chunk")) could not be deleted, and will expire"))
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
