public import ArgumentParser
import CValisePlatform
public import Valise

struct AccountSQL: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Read a database with a statement of SQL; nothing can be changed.",
        discussion: """
            Prints an aligned table; with --csv, RFC 4180 with a header; with --json, an array with an object \
            for each row, one on a line. Bytes are base64 in CSV and {"$base64":"…"} in JSON; NULL is nothing \
            in CSV, where empty text is "". Rows are printed as they come, so an array that is not closed is \
            not complete. Sorting is done in memory: nothing is ever written in plain.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(help: "The statement, or - to read it from standard input.")
    var statement: String

    @Option(help: "Which database: chat or agent.")
    var database: AccountDatabase = .chat

    @Flag(help: "Make the other database readable too, its tables as agent.NAME or chat.NAME.")
    var attach = false

    @Flag(help: "Print CSV.")
    var csv = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !csv || !output.json else { throw ValidationError("Give only one of --csv and --json.") }
    }

    func run() throws {
        let location = try account.find()
        let sql = statement == "-" ? try StandardInput.text(limit: 1 << 20) : statement
        let stream = StreamedOutput()
        let operation = QueryAccount(
            sql, of: location, databases: .init(database: database, attachesOther: attach),
            passphrase: passphrase.choice
        ) { [json = output.json, csv] in
            if json { return JSONRows(stream.write) }
            if csv { return CSVRows(stream.write) }
            let width = StandardStreams.outputIsTerminal ? Int(valise_terminal_width(1)) : nil
            return TableRows(stream, width: width)
        }
        do {
            try output.run(operation, Answers(passphrase))
            try stream.flush()
        } catch is ReaderGone {
            return
        } catch {
            // What came before the failure is shown.
            try? stream.flush()
            throw error
        }
    }
}

extension AccountDatabase: ExpressibleByArgument {}
