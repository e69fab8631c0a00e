import SystemPackage
public import ValiseDatabase

/// A connection of the agent, and how far it is.
public struct ConnectionRow: DecodableRow {
    public let id: [UInt8]
    /// The number of its last message, sent or received.
    public let lastMessage: Int64
    /// The state of its ratchet; nil before there is one.
    public let ratchet: [UInt8]?

    public init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("conn_id")
        lastMessage = try row.required("last_internal_msg_id")
        ratchet = try row.optional("ratchet_state", of: "ratchets")
    }
}

extension AgentSchema {
    /// All connections, in the order of their identifiers.
    /// - Throws: `DatabaseError`.
    public func connections(
        _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<ConnectionRow> {
        let query = try RowQuery<ConnectionRow>(
            [tables.source(.connections, as: "c"), tables.source(.ratchets, as: "r", isOuter: true)],
            "FROM connections c LEFT JOIN ratchets r ON r.conn_id = c.conn_id", file: connection.path.string)
        return try query.rows(connection, "ORDER BY c.conn_id")
    }
}
