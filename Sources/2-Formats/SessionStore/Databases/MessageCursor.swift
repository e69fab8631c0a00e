import SystemPackage
import ValiseDatabase

/// Goes through rows in an order, each read by its number: SQLite sorts numbers only, not whole messages.
struct MessageCursor<Row: DecodableRow> {
    /// The table, and others that its rows ask something.
    let sources: [RowSource]
    let tableName: String
    /// The column of the conversation.
    let conversation: String
    /// What the rows are ordered by, without a direction.
    let order: [String]
    /// A shorter way to the last ones; nil for none.
    var shortcut: Shortcut?

    /// An index has the messages of a conversation in the order of a column, which is theirs as long as others are NULL.
    struct Shortcut {
        /// What the rows are ordered by then.
        let order: [String]
        /// The column of the index.
        let column: String
        /// The columns that are NULL, which come first in the other order.
        let others: [String]
    }

    /// More numbers are not written into a query: then all of the conversation are looked at.
    private static var mostListed: Int { 20_000 }

    /// - Throws: `DatabaseError`; whatever the closures throw.
    func forEach(
        of id: String, _ choice: MessageChoice, _ connection: borrowing Connection,
        damaged: (SessionStoreError) throws -> Void, _ body: (Row) throws -> Void
    ) throws {
        let one = try Self.query(sources, tableName, connection)
        switch choice {
        case .all:
            try forEachNumber(of: id, connection) { try read($0, one, damaged, body) }
        case .newest(let count):
            for row in try last(count, of: id, connection).reversed() { try read(row, one, damaged, body) }
        case .rows(let rows) where rows.count > Self.mostListed:
            try forEachNumber(of: id, connection) { row in
                if rows.contains(row) { try read(row, one, damaged, body) }
            }
        case .rows(let rows):
            guard !rows.isEmpty else { return }
            let list = rows.map(String.init).joined(separator: ", ")
            try forEachNumber(of: id, and: "AND \(tableName).rowid IN (\(list))", isByRow: true, connection) {
                try read($0, one, damaged, body)
            }
        }
    }

    /// - Parameter isByRow: whether the rows are looked for by their numbers, and not by their conversation.
    private func forEachNumber(
        of id: String, and more: String = "", isByRow: Bool = false, _ connection: borrowing Connection,
        _ body: (Int64) throws -> Void
    ) throws {
        // A sign in front of a column keeps SQLite from looking for it in an index.
        let column = "\(isByRow ? "+" : "")\(tableName).\(conversation)"
        let rows = try connection.prepare(
            "SELECT \(tableName).rowid FROM \(tableName) WHERE \(column) = ? \(more) ORDER BY \(ordered("ASC"))"
        )
        try rows.bind([.text(id)])
        while try rows.step() { if let row = rows.value(0).integer { try body(row) } }
    }

    /// Finds a row by its number.
    /// - Throws: `DatabaseError`.
    static func query(
        _ sources: [RowSource], _ name: String, _ connection: borrowing Connection
    ) throws(DatabaseError) -> PreparedQuery<Row> {
        let query = try RowQuery<Row>(sources, "FROM \(name)", file: connection.path.string)
        return try query.prepared(connection, "WHERE \(name).rowid = ?")
    }

    private func ordered(_ direction: String) -> String {
        (order + ["\(tableName).rowid"]).map { "\($0) \(direction)" }.joined(separator: ", ")
    }

    /// The newest first.
    private func last(
        _ count: Int64, of id: String, _ connection: borrowing Connection
    ) throws -> [Int64] {
        if let found = try lastByShortcut(count, of: id, connection) { return found }
        let rows = try connection.prepare(
            """
            SELECT \(tableName).rowid FROM \(tableName) WHERE \(tableName).\(conversation) = ?
            ORDER BY \(ordered("DESC")) LIMIT ?
            """)
        try rows.bind([.text(id), .integer(max(0, count))])
        var found: [Int64] = []
        while try rows.step() { if let row = rows.value(0).integer { found.append(row) } }
        return found
    }

    /// - Returns: nil where this is not their order.
    private func lastByShortcut(
        _ count: Int64, of id: String, _ connection: borrowing Connection
    ) throws -> [Int64]? {
        guard let shortcut else { return nil }
        let condition = "FROM \(tableName) WHERE \(tableName).\(conversation) = ?"
        // Those without a time would be the first, and may be the last by another one.
        let without = try connection.prepare("SELECT 1 \(condition) AND \(shortcut.column) IS NULL LIMIT 1")
        try without.bind([.text(id)])
        guard try !without.step() else { return nil }
        let isOwn = (shortcut.others.map { "\($0) IS NULL" } + ["1"]).joined(separator: " AND ")
        let order = (shortcut.order + ["\(tableName).rowid"]).map { "\($0) DESC" }.joined(separator: ", ")
        let rows = try connection.prepare(
            "SELECT \(tableName).rowid, \(isOwn) \(condition) ORDER BY \(order) LIMIT ?")
        try rows.bind([.text(id), .integer(max(0, count))])
        var found: [Int64] = []
        while try rows.step() {
            guard rows.value(1).integer == 1 else { return nil }
            if let row = rows.value(0).integer { found.append(row) }
        }
        return found
    }

    private func read(
        _ number: Int64, _ one: PreparedQuery<Row>, _ damaged: (SessionStoreError) throws -> Void,
        _ body: (Row) throws -> Void
    ) throws {
        let found: [Row]
        do throws(DatabaseError) {
            found = try one.all([.integer(number)])
        } catch {
            guard error.isOfRow || error.isTooBig else { throw error }
            return try damaged(SessionStoreError(database: error))
        }
        for row in found { try body(row) }
    }
}
