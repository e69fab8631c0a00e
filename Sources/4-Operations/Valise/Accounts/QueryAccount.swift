public import ValiseAccounts
import ValiseConcurrency
public import ValiseMaintenance

/// Runs a read-only SQL statement on the databases of an account.
public struct QueryAccount: Operation {
    package var account: AccountLocation
    /// One SQL statement.
    package var statement: String
    /// Which databases it reads.
    package var databases: AccountQueryOptions
    /// Makes what the rows are written to, as they come: memory does not grow with their number. It stays on one thread.
    package var rows: @Sendable () -> any RowWriter
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - statement: one read-only SQL statement.
    ///   - account: the account, which may be in use.
    ///   - databases: the databases that it reads.
    ///   - passphrase: opens them.
    ///   - rows: receives the rows.
    public init(
        _ statement: String, of account: AccountLocation,
        databases: AccountQueryOptions = AccountQueryOptions(),
        passphrase: PassphraseSource = PassphraseSource(), rows: @escaping @Sendable () -> any RowWriter
    ) {
        self.statement = statement
        self.account = account
        self.databases = databases
        self.passphrase = passphrase
        self.rows = rows
    }

    /// - Throws: also whatever the row writer throws.
    public func run(in context: OperationContext) async throws {
        guard statement.contains(where: { !$0.isWhitespace }) else {
            throw OperationError(
                .invalid, "no statement to run", subject: account.path(of: databases.database).string)
        }
        let opened = try await passphrase.open(account, in: context.asking(to: "query its databases"))
        var context = context
        // The rows that come are progress enough.
        context.events = { [events = context.events] event in
            if case .progress = event { return }
            events(event)
        }
        try await context.blocking { [context] progress in
            context.note(InUseNote(account.directory.string, opened.reader.holder))
            let rows = rows()
            try AccountQuery(databases).run(
                statement, in: opened.reader, passphrase: opened.key.bytes, columns: rows.begin,
                row: rows.write,
                progress: progress)
            try rows.end()
        }
    }
}
