package import ValiseDatabase

/// What a chat database refers to in the agent database of the same account.
package struct SharedReferences: Sendable {
    /// Users of the chat database that the agent database does not have.
    package let usersWithoutAgent: Int64
    /// Connections of the chat database that the agent database does not have.
    package let connectionsWithoutAgent: Int64
    /// Connections of the chat database that are not deleted.
    package let connections: Int64

    /// Counts them in a chat database that has the agent database attached as `agent`.
    /// - Returns: nil where the tables are not those of an account.
    /// - Throws: `DatabaseError`.
    package init?(_ connection: borrowing Connection) throws(DatabaseError) {
        let columns = try connection.count(
            """
            SELECT count(*) FROM (
                SELECT name FROM pragma_table_info('users', 'main') WHERE name = 'agent_user_id'
                UNION ALL SELECT name FROM pragma_table_info('connections', 'main')
                    WHERE name IN ('agent_conn_id', 'conn_status')
                UNION ALL SELECT name FROM pragma_table_info('users', 'agent') WHERE name = 'user_id'
                UNION ALL SELECT name FROM pragma_table_info('connections', 'agent') WHERE name = 'conn_id')
            """)
        guard columns == 5 else { return nil }
        usersWithoutAgent = try connection.count(
            "SELECT count(*) FROM main.users WHERE agent_user_id NOT IN (SELECT user_id FROM agent.users)")
        connectionsWithoutAgent = try connection.count(
            """
            SELECT count(*) FROM main.connections AS c
            WHERE c.conn_status <> 'deleted'
                AND NOT EXISTS (SELECT 1 FROM agent.connections AS a WHERE a.conn_id = c.agent_conn_id)
            """)
        connections = try connection.count(
            "SELECT count(*) FROM main.connections WHERE conn_status <> 'deleted'")
    }
}
