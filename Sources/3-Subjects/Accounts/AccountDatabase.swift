package import ValiseChatSchema

/// The two databases of an account.
public enum AccountDatabase: String, Sendable, CaseIterable, Codable {
    /// Users, contacts, groups and messages.
    case chat
    /// Connections, queues and ratchets: all secrets.
    case agent

    /// What follows the prefix in a file name.
    package var suffix: String { "_\(rawValue).db" }

    /// The name inside an archive, whatever the local prefix is (Documentation/formats/archive.md).
    package var archiveName: String { "simplex_v1\(suffix)" }

    /// What is known of its schema.
    package var lineage: SchemaLineage {
        switch self {
        case .chat: .chat
        case .agent: .agent
        }
    }
}
