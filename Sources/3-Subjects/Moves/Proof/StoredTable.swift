import ValiseDatabase
import ValiseFailures

/// A table whose rows are in the file, and how they are read one after the other without sorting them.
///
/// Views and virtual tables hold nothing of their own; what a virtual table keeps is in ordinary tables beside it.
struct StoredTable: Sendable {
    let name: String
    /// Those that hold something; what is generated from them is not among them.
    let columns: [String]
    /// The statements that read all rows, the best first.
    let queries: [String]

    /// All tables, in the order of the bytes of their names. What the query planner noted is not content.
    /// - Throws: ``DatabaseError``.
    static func all(_ connection: borrowing Connection) throws -> [StoredTable] {
        let listed = try connection.rows("PRAGMA table_list").filter { $0[0].text == "main" }
        guard !listed.isEmpty else {
            throw DeviceMigrationError(
                .unsupported,
                "the linked SQLCipher is too old to prove what a database holds; 4.5.1 or newer does")
        }
        let names = listed.compactMap { row -> (name: String, hasRowIDs: Bool)? in
            guard let name = row[1].text, let type = row[2].text, type == "table" || type == "shadow" else {
                return nil
            }
            let lowered = name.lowercased()
            if lowered.hasPrefix("sqlite_"), lowered != Self.sequences { return nil }
            return (name, row[4].integer == 0)
        }
        return try names.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
            try StoredTable($0.name, hasRowIDs: $0.hasRowIDs, connection)
        }
    }

    /// SQLite's own, by which it knows the next numbers. The order of its rows means nothing.
    private static let sequences = "sqlite_sequence"

    private init(_ name: String, hasRowIDs: Bool, _ connection: borrowing Connection) throws {
        self.name = name
        let all = try connection.rows("PRAGMA table_xinfo(\(name.quoted))").map {
            (name: $0[1].text ?? "", isStored: $0[6].integer == 0)
        }
        columns = all.filter(\.isStored).map(\.name)
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
    private static func primaryKey(_ table: String, _ connection: borrowing Connection) throws -> [String] {
        let indexes = try connection.rows("PRAGMA index_list(\(table.quoted))")
        guard let index = indexes.first(where: { $0[3].text == "pk" })?[1].text else { return ["1"] }
        return try connection.rows("PRAGMA index_xinfo(\(index.quoted))").filter { $0[5].integer == 1 }.map {
            let collation = $0[4].text ?? "BINARY"
            return "t.\(($0[2].text ?? "").quoted) COLLATE \(collation.quoted)"
                + ($0[3].integer == 1 ? " DESC" : "")
        }
    }

    /// Opens the rows.
    /// - Throws: ``DatabaseError``.
    func rows(_ connection: borrowing Connection) throws -> Statement {
        for query in queries.dropLast() {
            guard let plan = try? connection.rows("EXPLAIN QUERY PLAN \(query)"),
                !plan.contains(where: { $0.last?.text?.contains("TEMP B-TREE") ?? false })
            else { continue }
            return try connection.prepare(query)
        }
        return try connection.prepare(queries.last ?? "")
    }
}
