/// What has to be known of a table to read its rows in an order.
package struct TableOutline: Sendable, Equatable {
    package let name: String
    /// Those that are stored.
    package let columns: [String]
    /// Of the declared primary key, in its order.
    package let primaryKey: [String]
    /// The name of the number that SQLite gives each row; nil for a table without one.
    package let rowID: String?
    /// Whether rows are somewhere else, and a module of SQLite's is asked for them.
    package let isVirtual: Bool

    /// All tables but SQLite's own, in the order of the bytes of their names.
    /// - Throws: ``DatabaseError``.
    package static func all(_ connection: borrowing Connection) throws(DatabaseError) -> [TableOutline] {
        var outlines: [TableOutline] = []
        for table in try connection.listedTables(for: "to compare databases")
        where table.kind != .view && !table.isInternal {
            outlines.append(
                try TableOutline(table.name, isVirtual: table.kind == .virtual, connection))
        }
        return outlines
    }

    private init(_ name: String, isVirtual: Bool, _ connection: borrowing Connection) throws(DatabaseError) {
        self.name = name
        self.isVirtual = isVirtual
        guard !isVirtual else {
            (columns, primaryKey, rowID) = ([], [], nil)
            return
        }
        let all = try connection.columns(of: name)
        columns = all.filter { $0.generation == .none }.map(\.name)
        primaryKey = all.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
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
