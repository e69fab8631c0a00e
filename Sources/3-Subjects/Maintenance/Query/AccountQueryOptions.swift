public import ValiseAccounts

/// Which databases are queried.
public struct AccountQueryOptions: Sendable {
    /// The one that the statement's tables are looked for in.
    package var database: AccountDatabase
    /// Whether the other one can be read too, under the schema name that is its own: `agent` or `chat`.
    package var attachesOther: Bool

    /// - Parameters:
    ///   - database: which is asked.
    ///   - attachesOther: whether the query can use the other one, too.
    public init(database: AccountDatabase = .chat, attachesOther: Bool = false) {
        self.database = database
        self.attachesOther = attachesOther
    }
}
