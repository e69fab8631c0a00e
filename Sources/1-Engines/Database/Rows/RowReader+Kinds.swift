// For each kind of value by itself: callers are in other modules, which know no specialization of what is generic, and would
// look up its metadata for each value of each row.

extension RowReader {
    /// A column that every version of the schema has and where NULL is forbidden.
    /// - Parameters:
    ///   - column: its name.
    ///   - table: which of the query's tables; nil for the first.
    /// - Throws: ``DatabaseError``: `damaged` where it is NULL or of another kind; `unsupported` where the schema has no such
    ///   column.
    package mutating func required(_ column: String, of table: String? = nil) throws(DatabaseError) -> Int64 {
        try requiredValue(column, of: table)
    }

    /// The same for a number that is 0 or another.
    package mutating func required(_ column: String, of table: String? = nil) throws(DatabaseError) -> Bool {
        try requiredValue(column, of: table)
    }

    /// The same for a text.
    package mutating func required(_ column: String, of table: String? = nil) throws(DatabaseError) -> String
    {
        try requiredValue(column, of: table)
    }

    /// The same for a blob.
    package mutating func required(_ column: String, of table: String? = nil) throws(DatabaseError) -> [UInt8]
    {
        try requiredValue(column, of: table)
    }
}

extension RowReader {
    /// A column that every version of the schema has and where NULL is allowed, or that comes from an outer join.
    /// - Parameters:
    ///   - column: its name.
    ///   - table: which of the query's tables; nil for the first.
    /// - Throws: as `required`, but for NULL; that too where a joined row has it and its schema forbids it.
    package mutating func optional(_ column: String, of table: String? = nil) throws(DatabaseError) -> Int64?
    {
        try optionalValue(column, of: table)
    }

    /// The same for a number that is 0 or another.
    package mutating func optional(_ column: String, of table: String? = nil) throws(DatabaseError) -> Bool? {
        try optionalValue(column, of: table)
    }

    /// The same for a text.
    package mutating func optional(_ column: String, of table: String? = nil) throws(DatabaseError) -> String?
    {
        try optionalValue(column, of: table)
    }

    /// The same for a blob.
    package mutating func optional(_ column: String, of table: String? = nil) throws(DatabaseError)
        -> [UInt8]?
    {
        try optionalValue(column, of: table)
    }
}

extension RowReader {
    /// A column that older versions of the schema lack, or in which not all forbid NULL.
    /// - Parameters:
    ///   - column: its name.
    ///   - table: which of the query's tables; nil for the first.
    /// - Throws: ``DatabaseError`` with `damaged` where the value is of another kind, or NULL where this database's schema
    ///   forbids it.
    package mutating func stored(_ column: String, of table: String? = nil) throws(DatabaseError) -> Stored<
        Int64
    > {
        try storedValue(column, of: table)
    }

    /// The same for a number that is 0 or another.
    package mutating func stored(_ column: String, of table: String? = nil) throws(DatabaseError) -> Stored<
        Bool
    > {
        try storedValue(column, of: table)
    }

    /// The same for a text.
    package mutating func stored(_ column: String, of table: String? = nil) throws(DatabaseError) -> Stored<
        String
    > {
        try storedValue(column, of: table)
    }

    /// The same for a blob.
    package mutating func stored(_ column: String, of table: String? = nil) throws(DatabaseError) -> Stored<
        [UInt8]
    > {
        try storedValue(column, of: table)
    }
}

extension RowReader {
    /// What SQL computes, and is never NULL.
    /// - Parameters:
    ///   - expression: in SQL.
    ///   - name: what it is called in an error.
    /// - Throws: as `required`.
    package mutating func computed(_ expression: String, as name: String) throws(DatabaseError) -> Int64 {
        try computedValue(expression, as: name)
    }
}
