/// A table whose rows are in the file, and how they are read one after the other without sorting them.
///
/// Views and virtual tables hold nothing of their own; what a virtual table keeps is in ordinary tables beside it.
package struct StoredTable: Sendable {
    /// The table.
    package let name: String
    /// Those that hold something; what is generated from them is not among them.
    package let columns: [String]
    /// The statements that read all rows, the best first; there is at least one.
    private let queries: [String]

    /// All tables, in the order of the bytes of their names. What the query planner noted is not content.
    /// - Throws: ``DatabaseError``.
    package static func all(_ connection: borrowing Connection) throws(DatabaseError) -> [StoredTable] {
        var tables: [StoredTable] = []
        for table in try connection.listedTables(for: "to verify database contents") where table.isStored {
            if table.isInternal, table.name.lowercased() != Self.sequences { continue }
            tables.append(try StoredTable(table.name, hasRowIDs: !table.isWithoutRowID, connection))
        }
        return tables
    }

    /// SQLite's own, by which it knows the next numbers. The order of its rows means nothing.
    private static let sequences = "sqlite_sequence"

    private init(
        _ name: String, hasRowIDs: Bool, _ connection: borrowing Connection
    ) throws(DatabaseError) {
        self.name = name
        let all = try connection.columns(of: name)
        columns = all.filter { $0.generation == .none }.map(\.name)
        let outputs = columns.map { "t.\($0.quoted)" }.joined(separator: ", ")
        // No index: its order would not be that of the rows.
        let select = "SELECT \(outputs) FROM \(name.quoted) AS t"
        if name.lowercased() == Self.sequences {
            queries = ["\(select) ORDER BY \(outputs)"]
        } else if hasRowIDs {
            let hidden = Set(all.map { $0.name.lowercased() })
            let rowID = ["rowid", "_rowid_", "oid"].first { !hidden.contains($0) }
            // With all three names taken, the table lies in the order of its row ids all the same.
            queries = ["\(select) NOT INDEXED" + (rowID.map { " ORDER BY t.\($0)" } ?? "")]
        } else {
            let key = try Self.primaryKey(name, connection)
            queries = ["\(select) ORDER BY \(key.joined(separator: ", "))", select]
        }
    }

    /// The terms by which a table without row ids is sorted in the file.
    private static func primaryKey(
        _ table: String, _ connection: borrowing Connection
    ) throws(DatabaseError) -> [String] {
        guard let index = try connection.indexes(of: table).first(where: \.isPrimaryKey) else { return ["1"] }
        return try connection.indexColumns(of: index.name).filter(\.isKey).compactMap { key in
            key.column.map {
                "t.\($0.quoted) COLLATE \(key.collation.quoted)" + (key.isDescending ? " DESC" : "")
            }
        }
    }

    /// Opens the rows.
    /// - Throws: ``DatabaseError``.
    package func rows(_ connection: borrowing Connection) throws(DatabaseError) -> Statement {
        for query in queries.dropLast() {
            // A plan that SQLite does not make is none to prefer.
            guard let sorts = try? connection.sortsInMemory(query), !sorts else { continue }
            return try connection.prepare(query)
        }
        return try connection.prepare(queries[queries.count - 1])
    }
}

extension Connection {
    /// Whether SQLite would have to sort the rows of a query in memory, or on the disk.
    borrowing func sortsInMemory(_ query: String) throws(DatabaseError) -> Bool {
        try rows("EXPLAIN QUERY PLAN \(query)").contains { $0.last?.text?.contains("TEMP B-TREE") ?? false }
    }
}
