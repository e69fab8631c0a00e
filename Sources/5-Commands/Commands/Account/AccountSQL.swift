public import ArgumentParser
public import Valise
import ValiseTerminal

struct AccountSQL: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Run a read-only SQL query.",
        discussion: """
            Prints an aligned table; on a terminal that is too narrow for its columns, a block of lines for each row. \
            With --csv, prints RFC 4180 with a header; with --json, one object per row, each on its own line. Bytes are base64 in CSV and {"$base64":"…"} in JSON. In CSV, NULL is an empty field and empty \
            text is "". Rows are printed as they arrive: they are complete only if the exit status is 0. Sorting is done \
            in memory: nothing is ever written unencrypted.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: "The SQL statement, or - to read it from standard input. A single argument is the statement.")
    var statement: String?

    @Option(help: "The database to query: chat or agent.")
    var database: AccountDatabase = .chat

    @Flag(help: "Attach the other database too; its tables are agent.NAME or chat.NAME.")
    var attach = false

    @Flag(help: "Print CSV.")
    var csv = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try account.and(statement, "statement")
        guard !csv || !output.json else { throw ValidationError("Use only one of --csv and --json") }
    }

    func run() throws {
        let (account, statement) = try self.account.and(self.statement, "statement")
        let location = try account.find(output)
        let sql = statement == "-" ? try StandardInput.text(limit: 1 << 20) : statement
        let stream = StreamedOutput()
        let operation = QueryAccount(
            sql, of: location, databases: .init(database: database, attachesOther: attach),
            passphrase: passphrase.choice
        ) { [json = output.json, csv] in
            if json { return JSONRows(stream.write) }
            if csv { return CSVRows(stream.write) }
            return TableRows(width: StandardStreams.width(of: .standardOutput), stream.write)
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
