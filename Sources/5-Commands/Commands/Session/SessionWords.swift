import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct SessionWords: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "words", abstract: "Show or check a recovery password.",
        discussion: """
            With STORE, shows the 13 words of its account. Without, asks for the words, and shows whose they are: the Session \
            ID, and for a misspelled word those that it resembles. --seed asks for the seed that words stand for, and shows \
            them. Words are shown on a terminal only: elsewhere, and with --json, only the Session ID is.

            The words restore the account, its contacts and groups, and no older messages than those that the network still has \
            (14 days).
            """)

    @Argument(
        help: ArgumentHelp("A store whose recovery password is shown.", valueName: "store"),
        completion: .file())
    var store: String?

    @Flag(help: "Show the words of a seed: 32 hexadecimal digits.")
    var seed = false

    @Option(
        help: ArgumentHelp(
            "The language of the words: \(RecoveryLanguage.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "language"))
    var language: RecoveryLanguage?

    @Option(
        help: ArgumentHelp("Write the seed to this new file, readable only by you.", valueName: "file"),
        completion: .file())
    var seedTo: String?

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard store == nil || !seed else { throw ValidationError("Use only one of STORE and --seed") }
    }

    func run() throws {
        var operation = ReadRecoveryPassword(source, secret: passphrase.choice)
        operation.language = language
        let file = seedTo.map { SecretFile(FilePath($0), replaces: false, .anything) }
        try file?.check()
        let found: RecoveredPassword
        do {
            found = try output.run(operation, Answers(passphrase))
        } catch let error as RecoveryPasswordError {
            throw SessionWordHints.worded(error, isShown: StandardStreams.errorIsTerminal && !output.json)
        }
        try file?.write(found.password.digits().bytes, endsLine: true)
        try output.print(found, type: "sessionWords") { Self.text(found) }
        try show(found)
    }

    private var source: ReadRecoveryPassword.Source {
        if let store { return .store(FilePath(store)) }
        return seed ? .seed : .words
    }

    /// In words: lines fit into a narrow window, as on a sheet of paper.
    private static let lineLength = 3

    /// Whoever typed the words has them.
    private func show(_ found: RecoveredPassword) throws {
        guard store != nil || seed, !output.json else { return }
        guard StandardStreams.outputIsTerminal else {
            return output.note("the words are shown on a terminal only")
        }
        try StandardStreams.printSecret(
            found.password.words(in: found.language, lineLength: Self.lineLength).bytes)
    }

    private static func text(_ found: RecoveredPassword) -> String {
        let places = found.inexact.map { "\($0)" }.joined(separator: ", ")
        let id = "Session ID: \(found.sessionID)"
        guard !found.inexact.isEmpty else { return id }
        return
            "\(id)\nspelled otherwise than in the list: \(Count.noun(found.inexact.count, "word")) \(places)"
    }
}

extension RecoveryLanguage: ExpressibleByArgument {}

/// What helps with words that are no recovery password.
enum SessionWordHints {
    /// - Parameter isShown: whether a user sees it, on a terminal: the words that are proposed may be right.
    static func worded(_ error: RecoveryPasswordError, isShown: Bool) -> any Failure {
        guard isShown else { return error }
        let doubtful =
            switch error.problem {
            case .unknownWords(let words, _), .checksum(let words, _): words
            default: [RecoveryPasswordError.DoubtfulWord]()
            }
        let hints = doubtful.filter { !$0.nearest.isEmpty }.map { word in
            Hint("word \(word.place) may be: \(word.nearest.joined(separator: ", "))")
        }
        return CommandError(error.code, error.message, hints: hints)
    }
}
