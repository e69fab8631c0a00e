package import ValiseDatabase

/// The tables of a database beside an account's for rows that have no place in it.
package enum LostRowTables {
    /// Makes them.
    /// - Throws: `DatabaseError`.
    package static func create(_ connection: borrowing Connection) throws(DatabaseError) {
        try connection.execute(
            """
            CREATE TABLE lost_rows (
                id INTEGER PRIMARY KEY,
                table_name TEXT,
                page INTEGER NOT NULL,
                row_id INTEGER,
                reason TEXT NOT NULL
            ) STRICT;
            CREATE TABLE lost_values (
                row INTEGER NOT NULL REFERENCES lost_rows (id),
                position INTEGER NOT NULL,
                value ANY,
                PRIMARY KEY (row, position)
            ) STRICT, WITHOUT ROWID
            """)
    }

    /// Takes a row: its number, the table where it belongs, its page, its row id, and why it is not there.
    /// - Throws: `DatabaseError`.
    package static func rowInsert(_ connection: borrowing Connection) throws(DatabaseError) -> Statement {
        try connection.prepareInsert(into: "lost_rows", ["id", "table_name", "page", "row_id", "reason"])
    }

    /// Takes a value: the number of its row, its position there, and itself.
    /// - Throws: `DatabaseError`.
    package static func valueInsert(_ connection: borrowing Connection) throws(DatabaseError) -> Statement {
        try connection.prepareInsert(into: "lost_values", ["row", "position", "value"])
    }
}
