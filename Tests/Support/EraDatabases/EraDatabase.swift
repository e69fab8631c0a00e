package import SystemPackage
import ValiseChatSchema
import ValiseDatabase
import ValiseSecrets

/// An unencrypted chat database with the tables and columns that the official programs had in an era, and the rows of a sample
/// as far as they fit in.
///
/// Names of tables, columns and migrations are those of the facts; the SQL is our own: without the constraints, triggers and
/// indexes of the official programs.
package struct EraDatabase {
    /// The file.
    package let path: FilePath
    private let era: Era

    /// Makes the database.
    ///
    /// - Parameters:
    ///   - path: of the new file.
    ///   - sample: the unencrypted chat database of a sample account.
    ///   - mixesClasses: whether some contents are stored as bytes, as old versions did.
    package init(_ path: FilePath, _ era: Era, from sample: FilePath, mixesClasses: Bool = false) throws {
        self.path = path
        self.era = era
        let database = try Connection(path, mode: .create, passphrase: try SecretBytes.empty())
        try database.run("ATTACH DATABASE ? AS sample KEY ''", [.text(sample.string)])
        try database.execute("PRAGMA foreign_keys = OFF")
        try database.execute("BEGIN")
        for (table, columns) in tables() {
            try database.execute(script(of: table, columns))
            try copy(table, columns, in: database, mixesClasses: mixesClasses && !isStrict)
        }
        try writeMigrations(database)
        try database.execute("COMMIT")
        try database.execute("DETACH DATABASE sample")
    }

    /// The columns of a table that exist in the era; none of a table that does not.
    package static func columns(of table: String, in era: Era) -> [String] {
        EraColumns.all.filter { $0.table == table && $0.exists(in: era) }.map(\.name)
    }

    /// The tables of an era that readers of chats know.
    package static func tables(in era: Era) -> [String] {
        var names: [String] = []
        for column in EraColumns.all where column.exists(in: era) && names.last != column.table {
            names.append(column.table)
        }
        return names
    }

    private func tables() -> [(String, [EraColumns.Column])] {
        Self.tables(in: era).map { table in
            (table, EraColumns.all.filter { $0.table == table && $0.exists(in: era) })
        }
    }

    private var isStrict: Bool { era.has("20251230_strict_tables") }

    private func script(of table: String, _ columns: [EraColumns.Column]) -> String {
        let lines = columns.map { column in
            let counts =
                table == "chat_items" && column.name == "chat_item_id"
                && era.has("20241023_chat_item_autoincrement_id")
            return "\"\(column.name)\" \(column.type)\(counts ? " AUTOINCREMENT" : "")"
        }
        return "CREATE TABLE \"\(table)\" (\(lines.joined(separator: ", ")))\(isStrict ? " STRICT" : "")"
    }

    /// The columns that both have; what belongs to a chat that the era does not know is left out.
    private func copy(
        _ table: String, _ columns: [EraColumns.Column], in database: borrowing Connection, mixesClasses: Bool
    ) throws {
        let known = try database.rows("SELECT name FROM pragma_table_info(?, 'sample')", [.text(table)])
            .compactMap {
                $0[0].text
            }
        let names = columns.map(\.name).filter { known.contains($0) }
        guard !names.isEmpty else { return }
        let values = names.map { name in
            guard mixesClasses, ["item_content", "msg_content_tag", "call_state"].contains(name) else {
                return "\"\(name)\""
            }
            return "CASE WHEN rowid % 3 = 0 THEN CAST(\"\(name)\" AS BLOB) ELSE \"\(name)\" END"
        }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        try database.execute(
            """
            INSERT INTO main."\(table)" (\(list)) SELECT \(values.joined(separator: ", "))
            FROM sample."\(table)" WHERE \(condition(table, names))
            """)
    }

    private func condition(_ table: String, _ names: [String]) -> String {
        guard table == "chat_items" || table == "files" else { return "1" }
        var conditions: [String] = []
        if !names.contains("note_folder_id") { conditions.append("note_folder_id IS NULL") }
        if table == "chat_items", !names.contains("group_scope_tag") {
            conditions.append("group_scope_tag IS NULL")
        }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }

    /// What the official programs note of themselves.
    private func writeMigrations(_ database: borrowing Connection) throws {
        try database.execute(
            "CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT)\(isStrict ? " STRICT" : "")"
        )
        for name in SchemaLineage.chat.officialNames where era.has(name) {
            try database.run(
                "INSERT INTO migrations (name, ts) VALUES (?, '2026-01-01 00:00:00')", [.text(name)])
        }
    }
}
