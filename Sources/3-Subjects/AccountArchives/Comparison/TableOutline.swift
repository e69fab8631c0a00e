import ValiseDatabase

/// What has to be known of a table to read its rows in an order.
struct TableOutline: Equatable {
    let name: String
    /// Those that are stored.
    let columns: [String]
    /// Of the declared primary key, in its order.
    let primaryKey: [String]
    /// The name of the number that SQLite gives each row; nil for a table without one.
    let rowID: String?
    /// Whether rows are somewhere else, and a module of SQLite's is asked for them.
    let isVirtual: Bool

    /// All tables but SQLite's own.
    /// - Throws: ``DatabaseError``.
    static func all(_ connection: borrowing Connection) throws -> [TableOutline] {
        try ListedTable.all(connection).filter { !$0.isView }.map {
            try TableOutline($0.name, isVirtual: $0.isVirtual, connection)
        }
    }

    private init(_ name: String, isVirtual: Bool, _ connection: borrowing Connection) throws {
        self.name = name
        self.isVirtual = isVirtual
        guard !isVirtual else {
            (columns, primaryKey, rowID) = ([], [], nil)
            return
        }
        let rows = try connection.rows("PRAGMA table_info(\(name.quoted))").map {
            (name: $0[1].text ?? "", key: $0[5].integer ?? 0)
        }
        columns = rows.map(\.name)
        primaryKey = rows.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)
        rowID = Self.rowID(name, columns, connection)
    }

    /// A table without row ids does not know any of the three names; a column may hide one or two of them.
    private static func rowID(
        _ table: String, _ columns: [String], _ connection: borrowing Connection
    ) -> String? {
        let hidden = Set(columns.map { $0.lowercased() })
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !hidden.contains($0) }) else {
            return nil
        }
        let isThere = (try? connection.prepare("SELECT t.\(name) FROM \(table.quoted) AS t")) != nil
        return isThere ? name : nil
    }
}
