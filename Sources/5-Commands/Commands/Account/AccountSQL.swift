public import ArgumentParser
import CValisePlatform
import Valise
public import ValiseAccounts

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
        let key = try AccountKey(location, passphrase).key()
        let reader = try AccountReader(location)
        output.noteUse(of: location.directory.string, by: reader.holder)
        let query = AccountQuery(.init(database: database, attachesOther: attach))
        let stream = StreamedOutput()
        let writer = writer(stream)
        do {
            try query.run(
                sql, in: reader, passphrase: key, columns: writer.begin, row: writer.write,
                progress: Self.stopWhenInterrupted)
            try writer.end()
            try stream.flush()
        } catch is ReaderGone {
            return
        } catch {
            // What came before the failure is shown.
            try? stream.flush()
            throw error
        }
    }

    private func writer(_ stream: StreamedOutput) -> any RowWriter {
        if output.json { return JSONRows(stream) }
        if csv { return CSVRows(stream) }
        let width = StandardStreams.outputIsTerminal ? Int(valise_terminal_width(1)) : nil
        return TableRows(stream, width: width)
    }

    /// No line of progress: it would run through the rows.
    private static func stopWhenInterrupted(_ progress: OperationProgress) throws {
        if valise_interrupted() { throw Interruption() }
    }
}

extension AccountDatabase: ExpressibleByArgument {}
