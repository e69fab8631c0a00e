import SystemPackage
import ValiseFailures

/// A query whose rows are of one type.
package struct RowQuery<Row: DecodableRow>: Sendable {
    private let columns: [RowReader.Column]
    private let tail: String

    /// - Parameters:
    ///   - sources: the tables of the query; the first is the one that its rows are of, and its first column their key.
    ///   - tail: from FROM on.
    ///   - file: the database, for errors.
    /// - Throws: ``DatabaseError`` with `unsupported` where a table lacks a column that every version of the schema has.
    package init(_ sources: [RowSource], _ tail: String, file: String) throws(DatabaseError) {
        columns = try RowReader.columns(of: Row.self, from: sources, file: file)
        self.tail = tail
    }

    /// Opens the rows.
    /// - Parameters:
    ///   - connection: to the database that is read.
    ///   - more: in SQL, behind the query: conditions and an order.
    ///   - values: for the parameters.
    /// - Throws: ``DatabaseError``.
    package func rows(
        _ connection: borrowing Connection, _ more: String = "", _ values: [Value] = []
    ) throws(DatabaseError) -> RowCursor<Row> {
        let statement = try statement(connection, more)
        if !values.isEmpty { try statement.bind(values) }
        return RowCursor(statement, columns, file: connection.path.string)
    }

    private func statement(
        _ connection: borrowing Connection, _ more: String
    ) throws(DatabaseError) -> Statement {
        let list = columns.map(\.expression).joined(separator: ", ")
        return try connection.prepare("SELECT \(list) \(tail) \(more)")
    }

    /// Prepares it for many runs with other values.
    /// - Throws: ``DatabaseError``.
    package func prepared(
        _ connection: borrowing Connection, _ more: String
    ) throws(DatabaseError) -> PreparedQuery<Row> {
        PreparedQuery(try statement(connection, more), columns, file: connection.path.string)
    }

    /// All rows. For results that are known to be small.
    /// - Throws: as ``rows(_:_:_:)``; ``DatabaseError`` with `damaged` for a row that is not as its schema says.
    package func all(
        _ connection: borrowing Connection, _ more: String = "", _ values: [Value] = []
    ) throws(DatabaseError) -> [Row] {
        var cursor = try rows(connection, more, values)
        var found: [Row] = []
        while let row = try cursor.next() { found.append(row) }
        return found
    }

    /// The first row; nil where there is none.
    /// - Throws: as ``all(_:_:_:)``.
    package func first(
        _ connection: borrowing Connection, _ more: String = "", _ values: [Value] = []
    ) throws(DatabaseError) -> Row? {
        var cursor = try rows(connection, more, values)
        return try cursor.next()
    }
}

/// The rows of a query, one at a time: memory does not grow with their number.
package struct RowCursor<Row: DecodableRow>: ~Copyable {
    private let statement: Statement
    private let columns: [RowReader.Column]
    private let file: String
    private var ordinal = 0

    init(_ statement: consuming Statement, _ columns: [RowReader.Column], file: String) {
        self.statement = statement
        self.columns = columns
        self.file = file
    }

    /// The next row; nil at the end.
    /// - Throws: ``DatabaseError``: `damaged` for a row that is not as its schema says. The rows behind it can be read.
    package mutating func next() throws(DatabaseError) -> Row? {
        guard try statement.step() else { return nil }
        ordinal += 1
        var reader = RowReader(statement, columns, ordinal: ordinal, file: file)
        return try Row(&reader)
    }

    /// The next row, or what is wrong with it; nil at the end. For who counts damaged rows and goes on behind them.
    /// - Throws: ``DatabaseError`` where the rows cannot be read any further.
    package mutating func nextResult() throws(DatabaseError) -> Result<Row, DatabaseError>? {
        do throws(DatabaseError) {
            return try next().map { .success($0) }
        } catch {
            guard error.isOfRow else { throw error }
            return .failure(error)
        }
    }
}

/// A query that is run again and again, without being compiled again.
package final class PreparedQuery<Row: DecodableRow> {
    private let statement: Statement
    private let columns: [RowReader.Column]
    private let file: String

    init(_ statement: consuming Statement, _ columns: [RowReader.Column], file: String) {
        self.statement = statement
        self.columns = columns
        self.file = file
    }

    /// All rows for these values. For results that are known to be small.
    /// - Throws: ``DatabaseError``: `damaged` for a row that is not as its schema says.
    package func all(_ values: [Value]) throws(DatabaseError) -> [Row] {
        try statement.bind(values)
        var found: [Row] = []
        while try statement.step() {
            var reader = RowReader(statement, columns, ordinal: found.count + 1, file: file)
            found.append(try Row(&reader))
        }
        return found
    }
}
