import ValiseDatabase

/// The tables of a schema that are read by their names.
package protocol KnownTable: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// Which of the known tables a database has, and with which columns. SQLite is asked once.
package struct RecognizedTables<Table: KnownTable>: Sendable {
    private var columns: [Table: Set<String>] = [:]
    /// In which columns NULL is forbidden.
    private var notNull: [Table: Set<String>] = [:]

    /// - Throws: ``DatabaseError``.
    init(_ connection: borrowing Connection) throws(DatabaseError) {
        for table in Table.allCases {
            let found = try connection.columns(of: table.rawValue)
            guard !found.isEmpty else { continue }
            columns[table] = Set(found.map(\.name))
            notNull[table] = Set(found.filter(\.isNotNull).map(\.name))
        }
    }

    /// The columns of a table; nil where the schema has no such table.
    package subscript(_ table: Table) -> Set<String>? { columns[table] }

    /// In which columns of a table this database forbids NULL.
    func columnsWithoutNull(_ table: Table) -> Set<String> { notNull[table] ?? [] }

    /// Whether there is the table, with all of these columns.
    func has(_ table: Table, with names: String...) -> Bool {
        columns[table]?.isSuperset(of: names) ?? false
    }

    /// The table as one of a query. One that the schema lacks has no columns.
    /// - Parameter outerKey: the column by which it is joined from outside, so that it may have no row.
    func source(_ table: Table, as alias: String, outerKey: String? = nil) -> RowSource {
        RowSource(
            table.rawValue, as: alias, columns: columns[table] ?? [], notNull: notNull[table] ?? [],
            outerKey: outerKey)
    }
}
