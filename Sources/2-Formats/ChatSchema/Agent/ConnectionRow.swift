import SystemPackage
package import ValiseDatabase

/// A connection of the agent, and how far it is.
package struct ConnectionRow: DecodableRow {
    package let id: [UInt8]
    /// The number of its last message, sent or received.
    package let lastMessage: Int64
    /// The state of its ratchet; nil before there is one.
    package let ratchet: [UInt8]?

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("conn_id")
        lastMessage = try row.required("last_internal_msg_id")
        ratchet = try row.optional("ratchet_state", of: "ratchets")
    }
}

extension AgentSchema {
    /// All connections, in the order of their identifiers.
    /// - Throws: `DatabaseError`.
    package func connections(
        _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<ConnectionRow> {
        let query = try RowQuery<ConnectionRow>(
            [tables.source(.connections, as: "c"), tables.source(.ratchets, as: "r", outerKey: "conn_id")],
            "FROM connections c LEFT JOIN ratchets r ON r.conn_id = c.conn_id", file: connection.path.string)
        return try query.rows(connection, "ORDER BY c.conn_id")
    }
}
