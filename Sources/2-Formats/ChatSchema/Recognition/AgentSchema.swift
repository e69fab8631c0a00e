public import ValiseDatabase

/// The schema of an agent database, official or ours, of any age: recognised once, and then asked for rows.
public struct AgentSchema: Sendable {
    /// The tables that are here.
    public let tables: RecognizedTables<AgentTable>

    /// - Throws: `DatabaseError`.
    public init(_ connection: borrowing Connection) throws(DatabaseError) {
        tables = try RecognizedTables(connection)
    }
}
