public import ValiseAccounts

/// What the databases of one kind have in common.
public struct DatabaseComparison: Sendable, Equatable, Codable {
    /// How far the comparison went.
    public enum State: String, Sendable, Codable {
        /// The same bytes, so that nothing had to be opened.
        case identical
        /// Row by row.
        case compared
        /// It says why.
        case notCompared
        /// A file could not be read; it says why.
        case unreadable
        case onlyInFirst
        case onlyInSecond
        case inNeither
    }

    /// A table of one side.
    public struct LoneTable: Sendable, Equatable, Codable {
        public let name: String
        /// Nil for a virtual table, whose rows are not counted.
        public let rows: Int64?
    }

    public let database: AccountDatabase
    public internal(set) var state: State
    /// Why it was not compared; nil where it was.
    public internal(set) var reason: String?
    /// Nil where it was not compared row by row.
    public internal(set) var schema: SchemaComparison?
    /// Tables of both sides, those without differences too.
    public internal(set) var tables = BoundedList<TableComparison>()
    public internal(set) var tablesOnlyInFirst = BoundedList<LoneTable>()
    public internal(set) var tablesOnlyInSecond = BoundedList<LoneTable>()
    /// How many of the tables of both sides differ.
    public internal(set) var differentTables = 0

    init(_ database: AccountDatabase, _ state: State, reason: String? = nil) {
        self.database = database
        self.state = state
        self.reason = reason
    }

    /// Whether every row is on both sides, and the schema is the same.
    public var isSame: Bool {
        switch state {
        case .identical, .inNeither: true
        case .notCompared, .unreadable, .onlyInFirst, .onlyInSecond: false
        case .compared:
            schema?.isSame ?? true && differentTables == 0 && tablesOnlyInFirst.isEmpty
                && tablesOnlyInSecond.isEmpty
        }
    }

    /// A table of both sides.
    func table(_ name: String) -> TableComparison? { tables.items.first { $0.name == name } }
}
