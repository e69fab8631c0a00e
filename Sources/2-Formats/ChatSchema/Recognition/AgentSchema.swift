package import ValiseDatabase

/// The schema of an agent database, official or ours, of any age: recognized once, and then asked for rows.
package struct AgentSchema: Sendable {
    /// The tables that are here.
    package let tables: RecognizedTables<AgentTable>

    /// - Throws: `DatabaseError`.
    package init(_ connection: borrowing Connection) throws(DatabaseError) {
        tables = try RecognizedTables(connection)
    }
}
