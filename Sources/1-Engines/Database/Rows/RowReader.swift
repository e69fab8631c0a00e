import CValiseSQLCipher
import ValiseFailures

/// A row of a query as a type: its initializer says which columns there are, in order, and of what kind.
///
/// It is run once without a row, which gives the list behind SELECT, and then for each row. So it reads the same columns
/// whatever they hold.
package protocol DecodableRow: Sendable {
    /// - Throws: ``DatabaseError`` with `damaged`, which names the table, the row and the column.
    init(_ row: inout RowReader) throws(DatabaseError)
}

/// A table in a query, with the columns that it has here.
package struct RowSource: Sendable {
    let name: String
    let alias: String
    let columns: Set<String>
    let notNull: Set<String>
    /// By which column it is joined from outside; nil for a table that has a row wherever the query has one.
    let outerKey: String?

    /// - Parameters:
    ///   - name: the table.
    ///   - alias: what the query calls it; nil for its name.
    ///   - columns: those that the database has.
    ///   - notNull: those of them in which this database's own schema forbids NULL.
    ///   - outerKey: the column by which the table is joined from outside. Where it is NULL there is no row, and NULL
    ///     everywhere.
    package init(
        _ name: String, as alias: String? = nil, columns: Set<String>, notNull: Set<String> = [],
        outerKey: String? = nil
    ) {
        self.name = name
        self.alias = alias ?? name
        self.columns = columns
        self.outerKey = outerKey
        // Without its key nobody knows whether there is a row.
        let isKnown = outerKey.map { columns.contains($0) } ?? true
        self.notNull = isKnown ? notNull : []
    }
}

/// Reads the columns of one row, one after the other: a value is what its reader declares it to be, or an error.
@safe package struct RowReader: ~Copyable {
    /// What is read of a row, in order.
    struct Column: Sendable {
        let expression: String
        let table: String
        let name: String
        let isAbsent: Bool
        let forbidsNull: Bool
        /// Where the key of a table is that is joined from outside; nil where it always has a row.
        var outerKey: Int?
    }

    /// Nil while the columns are only asked for.
    private let statement: OpaquePointer?
    private let file: String
    private let ordinal: Int
    private let sources: [RowSource]
    private(set) var columns: [Column]
    private var index = 0

    /// Asks a row for its columns.
    static func columns<Row: DecodableRow>(
        of row: Row.Type, from sources: [RowSource], file: String
    ) throws(DatabaseError) -> [Column] {
        var reader = unsafe RowReader(statement: nil, file: file, ordinal: 0, sources: sources, columns: [])
        _ = try Row(&reader)
        reader.planOuterKeys()
        return reader.columns
    }

    /// Adds the keys of tables that are joined from outside, behind all columns that the row itself reads.
    private mutating func planOuterKeys() {
        var planned = columns
        for source in sources {
            guard let key = source.outerKey else { continue }
            let place = planned.count
            for index in planned.indices
            where planned[index].table == source.name && planned[index].forbidsNull {
                planned[index].outerKey = place
            }
            guard planned.contains(where: { $0.outerKey == place }) else { continue }
            planned.append(
                Column(
                    expression: "\(source.alias).\(key.quoted)", table: source.name, name: key,
                    isAbsent: false, forbidsNull: false))
        }
        columns = planned
    }

    private init(
        statement: OpaquePointer?, file: String, ordinal: Int, sources: [RowSource], columns: [Column]
    ) {
        unsafe self.statement = unsafe statement
        self.file = file
        self.ordinal = ordinal
        self.sources = sources
        self.columns = columns
    }

    /// Reads the current row of a statement.
    init(_ statement: borrowing Statement, _ columns: [Column], ordinal: Int, file: String) {
        unsafe self.init(
            statement: statement.handle, file: file, ordinal: ordinal, sources: [], columns: columns)
    }

    // MARK: Columns

    /// A column that every version of the schema has and where NULL is forbidden.
    /// - Parameters:
    ///   - column: its name.
    ///   - table: which of the query's tables; nil for the first.
    /// - Throws: ``DatabaseError``: `damaged` where it is NULL or of another kind; `unsupported` where the schema has no such
    ///   column.
    mutating func requiredValue<Value: ColumnValue>(
        _ column: String, of table: String?
    ) throws(DatabaseError) -> Value {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: false)
            return Value.placeholder
        }
        guard let value: Value = try read() else { throw defect(Self.isNull, index - 1) }
        return value
    }

    private static let isNull = "is NULL, which the schema forbids"

    /// A column that every version of the schema has and where NULL is allowed, or that comes from an outer join.
    /// - Throws: as ``requiredValue(_:of:)``, but for NULL; that too where a joined row has it and its schema forbids it.
    mutating func optionalValue<Value: ColumnValue>(
        _ column: String, of table: String?
    ) throws(DatabaseError) -> Value? {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: false)
            return nil
        }
        if let value: Value = try read() { return value }
        if columns[index - 1].outerKey != nil { try refuseNull(at: index - 1) }
        return nil
    }

    /// A column that older versions of the schema lack, or in which not all forbid NULL.
    /// - Throws: ``DatabaseError`` with `damaged` where the value is of another kind, or NULL where this database's schema
    ///   forbids it.
    mutating func storedValue<Value: ColumnValue>(
        _ column: String, of table: String?
    ) throws(DatabaseError) -> Stored<Value> {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: true)
            return .absent
        }
        if columns[index].isAbsent {
            index += 1
            return .absent
        }
        if let value: Value = try read() { return .value(value) }
        try refuseNull(at: index - 1)
        return .null
    }

    /// NULL is an error where this database's schema forbids it, but for a joined table that has no row.
    private func refuseNull(at place: Int) throws(DatabaseError) {
        guard columns[place].forbidsNull else { return }
        if let key = columns[place].outerKey, unsafe sqlite3_column_type(statement, Int32(key)) == SQLITE_NULL
        {
            return
        }
        throw defect(Self.isNull, place)
    }

    /// A text that is cut behind so many characters, as a database of somebody else's may have any; else as
    /// ``requiredValue(_:of:)``.
    package mutating func required(
        _ column: String, of table: String? = nil, longest: Int
    ) throws(DatabaseError) -> String {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: false) { Self.cut($0, longest) }
            return String.placeholder
        }
        return try required(column)
    }

    /// A text that is cut behind so many characters; else as ``storedValue(_:of:)``.
    package mutating func stored(
        _ column: String, of table: String? = nil, longest: Int
    ) throws(DatabaseError) -> Stored<String> {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: true) { Self.cut($0, longest) }
            return .absent
        }
        return try stored(column)
    }

    private static func cut(_ expression: String, _ longest: Int) -> String {
        "substr(CAST(\(expression) AS TEXT), 1, \(longest))"
    }

    /// Whether a column that older versions lack has a value, which is not read.
    /// - Throws: ``DatabaseError``.
    package mutating func isSet(
        _ column: String, of table: String? = nil
    ) throws(DatabaseError) -> Stored<Bool> {
        guard unsafe statement != nil else {
            try plan(column, of: table, mayBeAbsent: true) { "\($0) IS NOT NULL" }
            return .absent
        }
        return try stored(column)
    }

    /// What SQL computes, and is never NULL.
    /// - Parameters:
    ///   - expression: in SQL.
    ///   - name: what it is called in an error.
    /// - Throws: as ``requiredValue(_:of:)``.
    mutating func computedValue<Value: ColumnValue>(
        _ expression: String, as name: String
    ) throws(DatabaseError) -> Value {
        guard unsafe statement != nil else {
            columns.append(
                Column(
                    expression: expression, table: sources[0].name, name: name, isAbsent: false,
                    forbidsNull: false))
            return Value.placeholder
        }
        guard let value: Value = try read() else { throw defect("is NULL", index - 1) }
        return value
    }

    /// Whether a table of the query has a column, for the choice of what ``computedValue(_:as:)`` computes. Once rows are read
    /// nobody chooses any more.
    package func has(_ column: String, in table: String? = nil) -> Bool {
        guard let source = source(table) else { return false }
        return source.columns.contains(column)
    }

    // MARK: Values

    private func source(_ table: String?) -> RowSource? {
        guard let table else { return sources.first }
        return sources.first { $0.name == table }
    }

    private mutating func plan(
        _ column: String, of table: String?, mayBeAbsent: Bool, form: (String) -> String = { $0 }
    ) throws(DatabaseError) {
        let source = source(table)
        let name = table ?? source?.name ?? column
        let isThere = source?.columns.contains(column) ?? false
        guard isThere || mayBeAbsent else {
            throw DatabaseError(
                .unsupported, "not an account database: table \(name) has no column \(column)",
                file: file)
        }
        let expression = source.flatMap { isThere ? form("\($0.alias).\(column.quoted)") : nil }
        columns.append(
            Column(
                expression: expression ?? "NULL", table: name, name: column, isAbsent: !isThere,
                forbidsNull: source?.notNull.contains(column) ?? false))
    }

    private mutating func read<Value: ColumnValue>() throws(DatabaseError) -> Value? {
        defer { index += 1 }
        let column = Int32(index)
        if unsafe sqlite3_column_type(statement, column) == SQLITE_NULL { return nil }
        guard let read = unsafe Value.read(statement, column) else {
            throw defect("is not \(Value.meaning)", index)
        }
        return read
    }

    /// The first column is the row's key.
    private func defect(_ what: String, _ index: Int) -> DatabaseError {
        let column = columns[index]
        let row: String =
            if case .integer(let key) = unsafe Statement.value(of: statement, 0), index > 0 {
                "row \(key)"
            } else {
                "row number \(ordinal)"
            }
        return DatabaseError(
            .damaged, "\(row) of table \(column.table) is damaged: \(column.name) \(what)", file: file,
            isOfRow: true)
    }
}
