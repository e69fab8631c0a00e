public import ValiseDatabase

/// The schema of a chat database, official or ours, of any age: recognized once, and then asked for rows.
public struct ChatSchema: Sendable {
    /// The tables that are here.
    package let tables: RecognizedTables<ChatTable>

    /// - Throws: `DatabaseError`.
    public init(_ connection: borrowing Connection) throws(DatabaseError) {
        tables = try RecognizedTables(connection)
    }
}
