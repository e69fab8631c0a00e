extension Connection {
    /// Whether SQLite refuses values of another kind than a table's columns are declared with. A library that does not know such
    /// tables cannot open a database that has one.
    /// - Throws: ``DatabaseError``.
    package borrowing func isStrict(_ table: String) throws(DatabaseError) -> Bool {
        guard try hasRow("SELECT 1 FROM pragma_pragma_list WHERE name = 'table_list'") else { return false }
        return try hasRow(
            "SELECT 1 FROM pragma_table_list(?) WHERE schema = 'main' AND type = 'table' AND strict",
            [.text(table)])
    }
}
