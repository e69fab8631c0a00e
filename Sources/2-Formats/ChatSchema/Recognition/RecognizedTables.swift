import ValiseDatabase

/// The tables of a schema that are read by their names.
public protocol KnownTable: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// Which of the known tables a database has, and with which columns. SQLite is asked once.
public struct RecognizedTables<Table: KnownTable>: Sendable {
    private let columns: [Table: Set<String>]

    /// - Throws: ``DatabaseError``.
    init(_ connection: borrowing Connection) throws(DatabaseError) {
        var columns: [Table: Set<String>] = [:]
        for table in Table.allCases {
            let names = try connection.columnNames(of: table.rawValue)
            if !names.isEmpty { columns[table] = Set(names) }
        }
        self.columns = columns
    }

    /// The columns of a table; nil where the schema has no such table.
    public subscript(_ table: Table) -> Set<String>? { columns[table] }

    /// Whether there is the table, with all of these columns.
    public func has(_ table: Table, with names: String...) -> Bool {
        columns[table]?.isSuperset(of: names) ?? false
    }

    /// The table as one of a query. One that the schema lacks has no columns.
    func source(_ table: Table, as alias: String) -> RowSource {
        RowSource(table.rawValue, as: alias, columns: columns[table] ?? [])
    }
}
