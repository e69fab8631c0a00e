package import ValiseAccounts

/// What the databases of one kind have in common.
package struct DatabaseComparison: Sendable, Equatable, Codable {
    /// How far the comparison went.
    package enum State: String, Sendable, Codable {
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
    package struct LoneTable: Sendable, Equatable, Codable {
        package let name: String
        /// Nil for a virtual table, whose rows are not counted.
        package let rows: Int64?
    }

    package let database: AccountDatabase
    package internal(set) var state: State
    /// Why it was not compared; nil where it was.
    package internal(set) var reason: String?
    /// Nil where it was not compared row by row.
    package internal(set) var schema: SchemaComparison?
    /// Tables of both sides, those without differences too.
    package internal(set) var tables = BoundedList<TableComparison>()
    package internal(set) var tablesOnlyInFirst = BoundedList<LoneTable>()
    package internal(set) var tablesOnlyInSecond = BoundedList<LoneTable>()
    /// How many of the tables of both sides differ.
    package internal(set) var differentTables = 0

    init(_ database: AccountDatabase, _ state: State, reason: String? = nil) {
        self.database = database
        self.state = state
        self.reason = reason
    }

    /// Whether every row is on both sides, and the schema is the same.
    package var isSame: Bool {
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
