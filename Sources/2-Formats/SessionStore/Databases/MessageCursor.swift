import SystemPackage
import ValiseDatabase

/// Goes through rows in an order, each read by its number: SQLite sorts numbers only, not whole messages.
struct MessageCursor<Row: DecodableRow> {
    /// The query of numbers, from FROM to WHERE.
    let numbers: String
    /// What the rows are ordered by, without a direction.
    let order: [String]
    let table: RowSource
    let tableName: String

    /// - Parameters:
    ///   - values: for the parameters of the query.
    ///   - newest: only so many, the last ones; nil for all.
    /// - Throws: `DatabaseError`; whatever the closures throw.
    func forEach(
        _ connection: borrowing Connection, _ values: [Value], newest: Int64?,
        damaged: (SessionStoreError) throws -> Void, _ body: (Row) throws -> Void
    ) throws {
        let one = try Self.query(table, tableName, connection)
        if let newest {
            let rows = try last(newest, connection, values)
            for row in rows.reversed() { try read(row, one, damaged, body) }
            return
        }
        let rows = try connection.prepare("SELECT \(tableName).rowid \(numbers) ORDER BY \(ordered("ASC"))")
        try rows.bind(values)
        while try rows.step() {
            guard let row = rows.value(0).integer else { continue }
            try read(row, one, damaged, body)
        }
    }

    /// Finds a row by its number.
    /// - Throws: `DatabaseError`.
    static func query(
        _ table: RowSource, _ name: String, _ connection: borrowing Connection
    ) throws(DatabaseError) -> PreparedQuery<Row> {
        let query = try RowQuery<Row>([table], "FROM \(name)", file: connection.path.string)
        return try query.prepared(connection, "WHERE \(name).rowid = ?")
    }

    private func ordered(_ direction: String) -> String {
        (order + ["\(tableName).rowid"]).map { "\($0) \(direction)" }.joined(separator: ", ")
    }

    /// The newest first.
    private func last(
        _ count: Int64, _ connection: borrowing Connection, _ values: [Value]
    ) throws -> [Int64] {
        let rows = try connection.prepare(
            "SELECT \(tableName).rowid \(numbers) ORDER BY \(ordered("DESC")) LIMIT ?")
        try rows.bind(values + [.integer(max(0, count))])
        var found: [Int64] = []
        while try rows.step() { if let row = rows.value(0).integer { found.append(row) } }
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
