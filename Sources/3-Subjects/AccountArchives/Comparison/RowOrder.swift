import ValiseDatabase

/// By which columns both sides of a table can be read in the same order, and which columns are compared.
struct RowOrder {
    /// What of a table's rows is compared on both sides.
    let columns: [String]
    /// Expressions of the key.
    private let key: [String]
    private let table: String
    /// Whether rows are taken as they lie in the table, so that an index is only a detour.
    private let isByRowID: Bool

    /// The ways to read a table, the best first.
    static func candidates(_ first: TableOutline, _ second: TableOutline) -> [RowOrder] {
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
    var compared: Range<Int> { key.count..<key.count + columns.count }

    /// Opens the rows of one side.
    ///
    /// - Parameter extras: more expressions behind the columns.
    /// - Returns: nil where SQLite would have to sort the table in memory first.
    /// - Throws: ``DatabaseError``.
    func rows(_ connection: borrowing Connection, extras: [String]) throws -> OrderedRows? {
        let outputs = (key + columns.map { "t.\($0.quoted)" } + extras).joined(separator: ", ")
        let source = "\(table.quoted) AS t\(isByRowID ? " NOT INDEXED" : "")"
        let query = "SELECT \(outputs) FROM \(source) ORDER BY \(key.joined(separator: ", "))"
        let plan = try connection.rows("EXPLAIN QUERY PLAN \(query)")
        guard !plan.contains(where: { $0.last?.text?.contains("TEMP B-TREE") ?? false }) else { return nil }
        return OrderedRows(try connection.prepare(query), keyCount: keyCount)
    }
}

/// The rows of one side, one at a time.
struct OrderedRows: ~Copyable {
    let statement: Statement
    private let keyCount: Int
    /// Of the current row; nil before the first and behind the last.
    private(set) var key: RowKey?
    /// How many rows there were until now.
    private(set) var count = 0

    init(_ statement: consuming Statement, keyCount: Int) {
        self.statement = statement
        self.keyCount = keyCount
    }

    /// - Throws: ``Disorder``; ``DatabaseError``.
    mutating func advance() throws {
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
    struct Disorder: Error {}
}
