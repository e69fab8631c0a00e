/// By which columns both sides of a table can be read in the same order, and which columns are compared.
package struct RowOrder: Sendable {
    /// One more column of each row, behind those that are compared.
    package struct Extra: Sendable {
        let column: String
        let longest: Int?

        /// - Parameters:
        ///   - column: NULL is read for one that the table lacks.
        ///   - longest: where it is read as text, cut behind so many characters; nil for its value as it is.
        package init(_ column: String, longest: Int? = nil) {
            self.column = column
            self.longest = longest
        }
    }

    /// What of a table's rows is compared on both sides.
    package let columns: [String]
    /// Expressions of the key.
    private let key: [String]
    private let table: String
    /// Whether rows are taken as they lie in the table, so that an index is only a detour.
    private let isByRowID: Bool

    /// The ways to read a table, the best first.
    package static func candidates(_ first: TableOutline, _ second: TableOutline) -> [RowOrder] {
        let columns = first.columns.filter(second.columns.contains)
        var orders: [RowOrder] = []
        if !first.primaryKey.isEmpty, first.primaryKey == second.primaryKey {
            orders.append(
                RowOrder(
                    columns: columns, key: first.primaryKey.map { "t.\($0.quoted)" }, table: first.name,
                    isByRowID: false))
        }
        if let mine = first.rowID, mine == second.rowID {
            orders.append(RowOrder(columns: columns, key: ["t.\(mine)"], table: first.name, isByRowID: true))
        }
        return orders
    }

    /// How many columns the key has: the first of each row.
    var keyCount: Int { key.count }

    /// Where the compared columns are in a row.
    package var compared: Range<Int> { key.count..<key.count + columns.count }

    /// Opens the rows of one side.
    ///
    /// - Parameters:
    ///   - connection: to the database that is read.
    ///   - extras: more columns behind those that are compared.
    ///   - outline: the table of this side.
    /// - Returns: nil where SQLite would have to sort the table in memory first.
    /// - Throws: ``DatabaseError``.
    package func rows(
        _ connection: borrowing Connection, extras: [Extra], of outline: TableOutline
    ) throws(DatabaseError) -> OrderedRows? {
        let more = extras.map { extra in
            guard outline.columns.contains(extra.column) else { return "NULL" }
            let value = "t.\(extra.column.quoted)"
            return extra.longest.map { "substr(CAST(\(value) AS TEXT), 1, \($0))" } ?? value
        }
        let outputs = (key + columns.map { "t.\($0.quoted)" } + more).joined(separator: ", ")
        let source = "\(table.quoted) AS t\(isByRowID ? " NOT INDEXED" : "")"
        let query = "SELECT \(outputs) FROM \(source) ORDER BY \(key.joined(separator: ", "))"
        guard try !connection.sortsInMemory(query) else { return nil }
        return OrderedRows(try connection.prepare(query), keyCount: keyCount)
    }
}

/// The rows of one side, one at a time.
package struct OrderedRows: ~Copyable {
    /// The current row.
    package let statement: Statement
    private let keyCount: Int
    /// Of the current row; nil before the first and behind the last.
    package private(set) var key: RowKey?
    /// How many rows there were until now.
    package private(set) var count = 0

    init(_ statement: consuming Statement, keyCount: Int) {
        self.statement = statement
        self.keyCount = keyCount
    }

    /// Goes to the next row.
    /// - Throws: ``Disorder``; ``DatabaseError``.
    package mutating func advance() throws {
        guard try statement.step() else {
            key = nil
            return
        }
        let next = RowKey(statement, count: keyCount)
        if let key, key.order(to: next) >= 0 { throw Disorder() }
        key = next
        count += 1
    }

    /// Keys do not rise strictly: a collation, a key with NULLs, or damage.
    package struct Disorder: Error {}
}
