package import ValiseDatabase

/// What is known of the schema of one of an account's two databases: the migrations that lead to it, Valise's own and the
/// official programs', and the tables that every version has.
package struct SchemaLineage: Sendable {
    /// Valise's own migrations, in order, embedded from `Migrations/`.
    package let migrations: [Migration]
    /// The `SchemaSnapshot.digest` of what all of them give, so that a schema which is just that is known at once.
    package let newestDigest: String
    /// The names of the official programs' migrations, oldest first.
    package let officialNames: [String]
    /// The tables that all versions of the schema have since accounts have users.
    package let essentialTables: [String]

    /// Users, contacts, groups and messages.
    package static let chat = SchemaLineage(
        migrations: chatMigrations,
        newestDigest: "778b034ffc0a607d967353b1042e35c1cf7d66642a760a3a3ac3ba6177895b20",
        officialNames: OfficialMigrations.chat,
        essentialTables: [
            ChatTable.users, .contactProfiles, .contacts, .connections, .groups, .groupMembers, .messages,
            .chatItems, .files,
        ].map(\.rawValue))

    /// Connections, queues and ratchets.
    package static let agent = SchemaLineage(
        migrations: agentMigrations,
        newestDigest: "b828265f8dba62e9f48f4f99cc90edea9f1735055bc8060669dbe87e41a03a7b",
        officialNames: OfficialMigrations.agent,
        essentialTables: [
            AgentTable.users, .servers, .connections, .receiveQueues, .sendQueues, .messages, .ratchets,
        ].map(\.rawValue))

    /// Both.
    static let all = [chat, agent]

    /// Whether a database whose first migration has this name is one of these.
    func begins(with first: String) -> Bool {
        migrations.first?.name == first || officialNames.contains(first)
    }

    static func migration(_ name: String, _ up: [UInt8], _ down: [UInt8]) -> Migration {
        Migration(
            name: name, up: String(decoding: up, as: UTF8.self), down: String(decoding: down, as: UTF8.self))
    }
}
