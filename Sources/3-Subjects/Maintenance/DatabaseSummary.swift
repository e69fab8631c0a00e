import ValiseChatSchema
import ValiseDatabase

/// What a database holds, in everything by which a copy of it is compared: settings, schema, numbers of rows.
struct DatabaseSummary: Equatable, Sendable {
    private let settings: [DatabaseSetting: Value]
    /// Where an object's tree begins is no content.
    private let schema: Set<[String?]>
    private let rows: [String: Int64]
    /// How many references are broken; nil where they are not looked for.
    private let brokenReferences: Int64?

    /// Tables that matter and whose rows are counted quickly. The others are proved page by page, or come through
    /// SQLCipher's export.
    private static let counted: Set<String> = {
        let chat: [ChatTable] = [
            .users, .contacts, .contactProfiles, .groups, .groupMembers, .connections, .chatItems, .files,
            .messages,
        ]
        let agent: [AgentTable] = [
            .users, .connections, .messages, .receiveQueues, .sendQueues, .ratchets, .skippedMessages,
        ]
        return Set(chat.map(\.rawValue) + agent.map(\.rawValue) + [MigrationTables.migrationTable])
    }()

    /// The most rows that are counted of one where the pages were proved: enough to go through many of them, and as
    /// quick for a million rows.
    private static let mostCounted = 10_000

    /// What has to be the same where all rows were written anew.
    init(ofAll connection: borrowing Connection) throws(DatabaseError) {
        try self.init(
            connection, [.applicationID, .autoVacuum, .encoding, .pageSize, .userVersion],
            counting: { _ in true }, upTo: nil, withReferences: true)
    }

    /// What has to be the same before and after another passphrase.
    init(_ connection: borrowing Connection, _ conversion: RekeyConversion) throws(DatabaseError) {
        var settings: [DatabaseSetting] = [.userVersion, .applicationID, .autoVacuum, .encoding]
        // Page by page nothing moves at all.
        if conversion == .rekey { settings += [.schemaVersion, .pageCount, .freePages, .pageSize] }
        try self.init(
            connection, settings, counting: Self.counted.contains,
            upTo: conversion == .rekey ? Self.mostCounted : nil, withReferences: false)
    }

    private init(
        _ connection: borrowing Connection, _ names: [DatabaseSetting], counting isCounted: (String) -> Bool,
        upTo limit: Int?, withReferences: Bool
    ) throws(DatabaseError) {
        var settings: [DatabaseSetting: Value] = [:]
        for name in names { settings[name] = try connection.setting(name) }
        self.settings = settings
        schema = Set(try connection.schemaObjects().map { [$0.type, $0.name, $0.table, $0.sql] })
        var rows: [String: Int64] = [:]
        for table in try connection.tableNames() where isCounted(table) {
            rows[table] = try connection.rowCount(of: table, upTo: limit)
        }
        self.rows = rows
        brokenReferences =
            try withReferences ? connection.brokenReferences().reduce(0) { $0 + $1.rows } : nil
    }

    /// What differs in another one, in a few words; nil where nothing does.
    func difference(from other: DatabaseSummary) -> String? {
        if settings != other.settings { return "its settings" }
        if schema != other.schema { return "its schema" }
        for (table, count) in rows.sorted(by: { $0.key < $1.key }) where other.rows[table] != count {
            return "the number of rows of \(table)"
        }
        return brokenReferences == other.brokenReferences ? nil : "its broken references"
    }
}
