extension Connection {
    /// Makes ready a database that is written anew from parts of another one. Nothing of it counts until it is put in its
    /// place, so that it needs no journal on the disk; and nothing of it lies anywhere else, not even for a moment.
    /// - Parameter autoVacuum: SQLite's number: 0 none, 1 full, 2 incremental.
    /// - Throws: ``DatabaseError``.
    package borrowing func prepareRebuilding(autoVacuum: Int) throws(DatabaseError) {
        try execute(
            """
            PRAGMA temp_store = MEMORY;
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            PRAGMA foreign_keys = OFF
            """)
        // The connection asked for full, and after its first look SQLite changes that only while vacuuming.
        if autoVacuum != 1 { try execute("PRAGMA auto_vacuum = \(autoVacuum); VACUUM") }
    }

    /// Begins a transaction that lasts until ``commit()``.
    /// - Throws: ``DatabaseError``.
    package borrowing func begin() throws(DatabaseError) { try execute("BEGIN") }

    /// Ends a transaction.
    /// - Throws: ``DatabaseError``.
    package borrowing func commit() throws(DatabaseError) { try execute("COMMIT") }

    /// Notes an object that has no tree in the schema, without running its statement.
    /// - Throws: ``DatabaseError``.
    package borrowing func note(
        _ type: String, _ name: String, of table: String, sql: String?
    ) throws(DatabaseError) {
        try execute("PRAGMA writable_schema = ON")
        try run(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)",
            [.text(type), .text(name), .text(table), sql.map(Value.text) ?? .null])
        try execute("PRAGMA writable_schema = OFF")
    }

    /// Writes the numbers that a program gave its file.
    /// - Throws: ``DatabaseError``.
    package borrowing func setHeader(userVersion: Int32, applicationID: Int32) throws(DatabaseError) {
        try execute("PRAGMA user_version = \(userVersion); PRAGMA application_id = \(applicationID)")
    }

    /// Makes the next row ids of a table larger than one that was given out. There must be a table with `AUTOINCREMENT`.
    /// - Throws: ``DatabaseError``.
    package borrowing func raiseSequence(of table: String, to number: Int64) throws(DatabaseError) {
        try run(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
            """, [.text(table)])
        try run(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [.integer(number), .text(table)])
    }

    // MARK: Rows

    /// An insert of one row with a parameter for each column.
    /// - Throws: ``DatabaseError``.
    package borrowing func prepareInsert(
        into table: String, _ columns: [String]
    ) throws(DatabaseError) -> Statement {
        let names = columns.map(\.quoted).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return try prepare("INSERT INTO \(table.quoted) (\(names)) VALUES (\(marks))")
    }

    /// A query that has a row exactly where the table has one with this value in a column.
    /// - Throws: ``DatabaseError``.
    package borrowing func prepareLookup(
        in table: String, by column: String
    ) throws(DatabaseError) -> Statement {
        try prepare("SELECT 1 FROM \(table.quoted) WHERE \(column.quoted) = ?")
    }

    /// The rows of a table as they lie in it, not by an index, which may be damaged.
    /// - Parameters:
    ///   - table: its name.
    ///   - columns: what is read.
    ///   - key: sorted by this column; nil for no order.
    ///   - isDescending: from its end.
    /// - Throws: ``DatabaseError``.
    package borrowing func prepareRows(
        of table: String, _ columns: [String], by key: String?, isDescending: Bool
    ) throws(DatabaseError) -> Statement {
        let names = columns.map(\.quoted).joined(separator: ", ")
        let order = key.map { " ORDER BY \($0.quoted) \(isDescending ? "DESC" : "ASC")" } ?? ""
        return try prepare("SELECT \(names) FROM \(table.quoted) NOT INDEXED\(order)")
    }

    /// How many rows lie in a table itself, whatever its indexes say.
    /// - Throws: ``DatabaseError``.
    package borrowing func rowCountWithoutIndexes(of table: String) throws(DatabaseError) -> Int64 {
        try count("SELECT count(*) FROM \(table.quoted) NOT INDEXED")
    }
}
