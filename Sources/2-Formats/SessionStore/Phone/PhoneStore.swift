package import SystemPackage
import ValiseDatabase
import ValiseEncoding
package import ValiseFiles
package import ValiseSecrets

/// The account of a Session iOS folder or backup. For one thread at a time.
///
/// Columns of which the sheet on Session's formats says nothing are read where the schema has them.
package final class PhoneStore: SessionStore {
    private let connection: Connection
    /// It goes with the store.
    private let copy: PrivateCopy?
    private let tables: SessionTables
    /// Which migrations the database has seen.
    package let schema: PhoneSchema
    package let warnings: [SessionWarning]
    package let ownID: String?
    private let files: AttachmentFiles
    /// Finds a message by its row; nil until one is asked for.
    private var one: (row: PreparedQuery<PhoneInteractionRow>, parts: PhoneMessageParts)?

    /// Finds the conversation of a message; nil until one is asked for.
    private var owner: PreparedQuery<PhoneMessageOwner>?

    private static let read = [
        "identity", "thread", "interaction", "profile", "contact", "closedGroup", "groupMember", "openGroup",
        "disappearingMessagesConfiguration", "attachment", "interactionAttachment", "quote", "reaction",
        "linkPreview", "configDump", "messageDeduplication",
    ]

    /// - Parameters:
    ///   - database: without a log.
    ///   - copy: what is kept as long as the store is.
    ///   - files: of attachments.
    init(_ database: SessionDatabase, holding copy: PrivateCopy?, files: AttachmentFiles) throws {
        let connection = try database.connect()
        let schema = try PhoneSchema(connection)
        let tables = try SessionTables(connection, reading: Self.read)
        try tables.require(
            [
                (PhoneInteractionRow.table, PhoneInteractionRow.needed),
                (PhoneConversationRow.table, PhoneConversationRow.needed),
            ], isNewer: schema.isNewer)
        ownID = try Self.ownID(connection, tables)
        warnings = schema.warnings(tables)
        self.connection = connection
        self.copy = copy
        self.tables = tables
        self.schema = schema
        self.files = files
    }

    /// Of the public key in the table of the account's keys, of which nothing else is read.
    private static func ownID(
        _ connection: borrowing Connection, _ tables: SessionTables
    ) throws -> String? {
        guard tables.has("data", in: "identity") else { return nil }
        let value = try connection.value("SELECT data FROM identity WHERE variant = 'x25519PublicKey'")
        guard case .blob(let key)? = value, key.count == 32 else { return nil }
        return SessionIDs.account + Hexadecimal.encode(key)
    }

    /// Nil: files are not encrypted.
    package func attachmentKey() -> SecretSeed? { nil }

    package var version: SessionSchemaVersion {
        SessionSchemaVersion(migrations: schema.migrations.count, lastMigration: schema.migrations.last)
    }

    /// Of the account's secret key: its first half is the seed.
    package func recoveryPassword() throws -> RecoveryPassword? {
        guard tables.has("data", in: "identity") else { return nil }
        return try SessionStoreError.mapping {
            let rows = try connection.prepare("SELECT data FROM identity WHERE variant = 'ed25519SecretKey'")
            guard try rows.step() else { return nil }
            let seed = try unsafe rows.withBytes(0) { key in
                guard key.count == 2 * SecretSeed.byteCount else {
                    throw SessionStoreError(
                        .damaged, "the secret key of the account is damaged", tables.file)
                }
                return try unsafe SecretSeed(
                    copying: UnsafeRawBufferPointer(rebasing: key.prefix(SecretSeed.byteCount)))
            }
            return try RecoveryPassword(accountSeed: seed)
        }
    }

    package var attachments: FilePath { files.path }

    package func content(of attachment: SessionAttachment) throws -> any ByteSource {
        try files.content(of: attachment)
    }

    // MARK: Conversations

    package func conversations(
        counts: Bool, damaged: (SessionStoreError) throws -> Void
    ) throws -> [SessionConversation] {
        try SessionStoreError.mapping {
            let messages = CountedMessages(
                PhoneInteractionRow.table, of: "threadId", unread: ("wasRead", 0), times: ["timestampMs"],
                wantsLast: true, in: tables)
            var counts = try MessageCounts(messages, counts: counts, connection)
            var found: [SessionConversation] = []
            var rows = try PhoneConversationRow.query(tables).rows(connection, "ORDER BY thread.id")
            while let row = try rows.nextResult() {
                do {
                    found.append(try conversation(try row.get(), &counts))
                } catch let error as DatabaseError where error.isOfRow {
                    try damaged(SessionStoreError(database: error))
                } catch let error as SessionStoreError {
                    try damaged(error)
                }
            }
            // Their messages are all that is left of them.
            found += counts.byConversation.map { SessionConversation(id: $0.key, orphans: $0.value) }
            return found.sorted(by: SessionConversation.wasUsedLater)
        }
    }

    private func conversation(
        _ row: PhoneConversationRow, _ counts: inout MessageCounts
    ) throws -> SessionConversation {
        let reader = PhoneConversationReader(
            row: row, ownID: ownID, counts: counts.take(row.id),
            members: try PhoneMembers(of: row.id, connection, tables))
        return try reader.conversation()
    }

    package func forEachContact(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws {
        let contacts = PhoneContacts(tables: tables)
        try SessionStoreError.mapping { try contacts.forEach(connection, damaged, body) }
    }

    // MARK: Messages

    package func forEachMessage(
        of conversation: String, _ choice: MessageChoice, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws {
        let table = PhoneInteractionRow.table
        let cursor = MessageCursor<PhoneInteractionRow>(
            sources: PhoneInteractionRow.sources(tables), tableName: table, conversation: "threadId",
            order: ["interaction.timestampMs"])
        try SessionStoreError.mapping {
            let parts = try PhoneMessageParts(tables, connection)
            try cursor.forEach(of: conversation, choice, connection, damaged: damaged) { row in
                try body(message(row, conversation, parts))
            }
        }
    }

    package func message(row: Int64, of conversation: String) throws -> SessionMessage? {
        try SessionStoreError.mapping {
            let query =
                try one
                ?? (
                    MessageCursor.query(
                        PhoneInteractionRow.sources(tables), PhoneInteractionRow.table, connection),
                    PhoneMessageParts(tables, connection)
                )
            one = query
            return try query.row.all([.integer(row)]).first.map { row in
                try message(row, conversation, query.parts)
            }
        }
    }

    /// A damaged row of a part costs the parts of one message, and is named in it.
    private func message(
        _ row: PhoneInteractionRow, _ conversation: String, _ parts: PhoneMessageParts
    ) throws -> SessionMessage {
        let problems = ReadingProblems()
        let reader = PhoneMessageReader(row: row, ownID: ownID)
        do throws(DatabaseError) {
            return reader.message(in: conversation, try parts.parts(of: row, problems), problems)
        } catch {
            guard error.isOfRow else { throw error }
            problems.add(error.message)
            return reader.message(in: conversation, PhoneMessageParts.Found(), problems)
        }
    }

    private var glances: MessageGlances {
        let table = PhoneInteractionRow.table
        var textsOnly = ["typeof(interaction.variant) = 'integer'", "interaction.variant IN (0, 1)"]
        if tables.has("linkPreviewUrl", in: table) {
            textsOnly.append("COALESCE(interaction.linkPreviewUrl, '') = ''")
        }
        if tables.has("expiresStartedAtMs", in: table) {
            textsOnly.append("COALESCE(interaction.expiresStartedAtMs, 0) = 0")
        }
        return MessageGlances(table, of: "threadId", body: "body", textsOnly: textsOnly, in: tables)
    }

    package func conversation(ofMessage row: Int64) throws -> String? {
        try SessionStoreError.mapping {
            let query =
                try owner
                ?? MessageCursor.query(
                    [tables.source(PhoneInteractionRow.table)], PhoneInteractionRow.table, connection)
            owner = query
            return try query.all([.integer(row)]).first?.conversation.value
        }
    }

    package func messageRows() throws -> ClosedRange<Int64>? {
        try SessionStoreError.mapping { try glances.rows(connection) }
    }

    package func forEachGlance(
        in rows: ClosedRange<Int64>, _ body: (MessageGlance) throws -> Void
    ) throws {
        try SessionStoreError.mapping { try unsafe glances.forEach(in: rows, connection, body) }
    }

    // MARK: Records

    package func forEachSeenMessage(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        let records = PhoneRecords(tables: tables)
        try SessionStoreError.mapping { try records.forEachSeen(connection, damaged, body) }
    }

    package func forEachConfigDump(
        _ body: (SessionConfigDump, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let dumps = ConfigDumps(tables: tables, timestamp: "timestampMs")
        try SessionStoreError.mapping { try unsafe dumps.forEach(connection, body) }
    }
}
