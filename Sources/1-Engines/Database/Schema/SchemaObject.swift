import SystemPackage
import ValiseFailures

/// A row of SQLite's own table of the schema, as it stands there: in a damaged or forged database it may say anything.
package struct SchemaObject: Sendable, Hashable {
    /// Such as `table`.
    package let type: String?
    package let name: String?
    /// The table that an index or a trigger belongs to.
    package let table: String?
    /// The page where its tree begins; nil where it has none.
    package let root: Int64?
    /// The statement that made it; nil for the index that a constraint made.
    package let sql: String?
}

extension Connection {
    /// All objects of the schema, in the order in which they were made.
    /// - Throws: ``DatabaseError``.
    package borrowing func schemaObjects() throws(DatabaseError) -> [SchemaObject] {
        let rows = try prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid")
        var objects: [SchemaObject] = []
        while try rows.step() {
            objects.append(
                SchemaObject(
                    type: rows.value(0).text, name: rows.value(1).text, table: rows.value(2).text,
                    root: rows.value(3).integer, sql: rows.value(4).text))
        }
        return objects
    }

    /// Lends type, name, table and statement of the schema's objects as their bytes are, in the order of their names; without
    /// what the query planner noted, which is no content.
    /// - Throws: ``DatabaseError``; whatever `body` throws.
    package borrowing func forEachSchemaRow(_ body: (borrowing Statement) throws -> Void) throws {
        let rows = try prepare(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'
            ORDER BY type, name, tbl_name
            """)
        while try rows.step() { try body(rows) }
    }

    /// Lends the statements of the schema's objects, which may be long, by kinds and names, such as `table users`; without
    /// SQLite's own objects.
    /// - Throws: ``DatabaseError``; whatever `body` throws.
    package borrowing func forEachSchemaStatement(
        atMost limit: Int64, _ body: (_ name: String, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let rows = try prepare(
            """
            SELECT substr(type, 1, 20) || ' ' || substr(name, 1, 1000), sql FROM sqlite_master
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT \(limit)
            """)
        while try rows.step() {
            guard let name = rows.value(0).text else { continue }
            try unsafe rows.withBytes(1) { try unsafe body(name, $0) }
        }
    }

    /// How many rows a table has.
    /// - Parameters:
    ///   - table: its name.
    ///   - limit: counts no further than this.
    ///   - canStop: whether whoever supervises the connection can stop the counting, which makes it slower: count(*) is one
    ///     step to SQLite.
    /// - Throws: ``DatabaseError``.
    package borrowing func rowCount(
        of table: String, upTo limit: Int? = nil, canStop: Bool = false
    ) throws(DatabaseError) -> Int64 {
        let rows = limit.map { "(SELECT 1 FROM \(table.quoted) LIMIT \($0))" } ?? table.quoted
        return try count("SELECT \(canStop ? "coalesce(sum(1), 0)" : "count(*)") FROM \(rows)")
    }

    /// The names of all tables, of SQLite's own too.
    /// - Throws: ``DatabaseError``.
    package borrowing func tableNames() throws(DatabaseError) -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0[0].text }
    }

    /// Whether there is a table of this name.
    /// - Throws: ``DatabaseError``.
    package borrowing func hasTable(_ name: String) throws(DatabaseError) -> Bool {
        try hasRow("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)])
    }

    /// Whether a trigger belongs to a table, whose name is told without regard to case.
    /// - Parameter table: in small letters.
    /// - Throws: ``DatabaseError``.
    package borrowing func hasTrigger(on table: String) throws(DatabaseError) -> Bool {
        try hasRow(
            "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = ?", [.text(table)])
    }

    /// How large the schema is: its objects, and the bytes of their names and statements.
    /// - Throws: ``DatabaseError``.
    package borrowing func schemaSize() throws(DatabaseError) -> (objects: Int64, bytes: Int64) {
        let rows = try prepare(
            """
            SELECT count(*), coalesce(sum(coalesce(length(CAST(sql AS BLOB)), 0)
                + coalesce(length(CAST(name AS BLOB)), 0)), 0) FROM sqlite_master
            """)
        guard try rows.step(), let objects = rows.value(0).integer, let bytes = rows.value(1).integer else {
            throw unanswered("the size of the schema")
        }
        return (objects, bytes)
    }

    /// The names of a table's columns; none where there is no such table.
    /// - Throws: ``DatabaseError``.
    package borrowing func columnNames(of table: String) throws(DatabaseError) -> [String] {
        try rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap { $0[0].text }
    }

    /// SQLite always answers such a question.
    borrowing func unanswered(_ question: String) -> DatabaseError {
        DatabaseError(.failed, "SQLite does not report \(question)", file: path.string)
    }
}
