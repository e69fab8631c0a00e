import ValiseChatSchema
import ValiseDatabase
import ValisePages

/// Whether the two databases speak of the same users and connections.
package struct DatabaseAgreement: Sendable, Equatable, Codable {
    /// Users of the chat database that the agent database does not have.
    package let usersWithoutAgent: Int64
    /// Connections of the chat database that the agent database does not have. The official programs leave some
    /// behind when they delete, so that a few are no damage.
    package let connectionsWithoutAgent: Int64

    /// Connections of the chat database that are not deleted.
    package let connections: Int64

    /// Whether they belong together.
    package var isIntact: Bool { usersWithoutAgent == 0 && !isOfAnotherAccount }

    /// Whether the agent database knows none of several connections. Users are numbered from 1 in every account, so
    /// their numbers alone do not tell.
    package var isOfAnotherAccount: Bool { connections > 2 && connectionsWithoutAgent == connections }

    /// - Returns: nil where the tables are not those of an account, or SQLite cannot read both at once.
    /// - Parameter look: called now and then; throw to stop.
    init?(_ chat: CheckedDatabase, _ agent: CheckedDatabase, by look: () throws -> Void) throws {
        // An attached database has the settings of the first.
        guard
            try chat.encrypted?.settings == agent.encrypted?.settings
                || chat.isReadAsUnencrypted() && agent.isReadAsUnencrypted()
        else { return nil }
        let connection = try chat.connect()
        try agent.attach(to: connection, as: "agent")
        guard let found = try connection.supervised(by: look, { try SharedReferences(connection) }) else {
            return nil
        }
        usersWithoutAgent = found.usersWithoutAgent
        connectionsWithoutAgent = found.connectionsWithoutAgent
        connections = found.connections
    }
}
