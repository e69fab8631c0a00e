import ValiseDatabase
import ValisePages

/// Whether the two databases speak of the same users and connections.
public struct DatabaseAgreement: Sendable, Equatable, Codable {
    /// Users of the chat database that the agent database does not have.
    public let usersWithoutAgent: Int64
    /// Connections of the chat database that the agent database does not have. The official programs leave some
    /// behind when they delete, so that a few are no damage.
    public let connectionsWithoutAgent: Int64

    /// Connections of the chat database that are not deleted.
    public let connections: Int64

    /// Whether they belong together.
    public var isGood: Bool { usersWithoutAgent == 0 && !isOfAnotherAccount }

    /// Whether the agent database knows none of several connections. Users are numbered from 1 in every account, so
    /// their numbers alone do not tell.
    public var isOfAnotherAccount: Bool { connections > 2 && connectionsWithoutAgent == connections }

    /// - Returns: nil where the tables are not those of an account, or SQLite cannot read both at once.
    /// - Parameter look: called now and then; throw to stop.
    init?(_ chat: CheckedDatabase, _ agent: CheckedDatabase, by look: () throws -> Void) throws {
        // An attached database has the settings of the first.
        guard
            try chat.encrypted?.settings == agent.encrypted?.settings
                || chat.isReadAsPlain() && agent.isReadAsPlain()
        else { return nil }
        let connection = try chat.connect()
        try agent.attach(to: connection, as: "agent")
        guard let found = try connection.supervised(by: look, { try Self.read(connection) }) else {
            return nil
        }
        self = found
    }

    private init(usersWithoutAgent: Int64, connectionsWithoutAgent: Int64, connections: Int64) {
        self.usersWithoutAgent = usersWithoutAgent
        self.connectionsWithoutAgent = connectionsWithoutAgent
        self.connections = connections
    }

    private static func read(_ connection: borrowing Connection) throws(DatabaseError) -> DatabaseAgreement? {
        let columns = try connection.value(
            """
            SELECT count(*) FROM (
                SELECT name FROM pragma_table_info('users', 'main') WHERE name = 'agent_user_id'
                UNION ALL SELECT name FROM pragma_table_info('connections', 'main')
                    WHERE name IN ('agent_conn_id', 'conn_status')
                UNION ALL SELECT name FROM pragma_table_info('users', 'agent') WHERE name = 'user_id'
                UNION ALL SELECT name FROM pragma_table_info('connections', 'agent') WHERE name = 'conn_id')
            """)
        guard columns == 5 else { return nil }
        func count(_ sql: String, _ connection: borrowing Connection) throws(DatabaseError) -> Int64 {
            try connection.value(sql)?.integer ?? 0
        }
        return DatabaseAgreement(
            usersWithoutAgent: try count(
                """
                SELECT count(*) FROM main.users
                WHERE agent_user_id NOT IN (SELECT user_id FROM agent.users)
                """, connection),
            connectionsWithoutAgent: try count(
                """
                SELECT count(*) FROM main.connections AS c
                WHERE c.conn_status <> 'deleted'
                    AND NOT EXISTS (SELECT 1 FROM agent.connections AS a WHERE a.conn_id = c.agent_conn_id)
                """, connection),
            connections: try count(
                "SELECT count(*) FROM main.connections WHERE conn_status <> 'deleted'", connection))
    }
}
