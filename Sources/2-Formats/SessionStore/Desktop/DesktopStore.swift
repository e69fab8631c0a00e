package import SystemPackage
import ValiseDatabase
package import ValiseFiles
package import ValiseSecrets

/// The account of a Session Desktop profile, read from one consistent state. For one thread at a time.
///
/// Columns of which the sheet on Session's formats says nothing are read where the schema has them.
package final class DesktopStore: SessionStore {
    private let connection: Connection
    /// It goes with the store.
    private let copy: PrivateCopy?
    private let tables: SessionTables
    private let items: DesktopItems
    /// Which version of its schema the database has.
    package let schema: DesktopSchema
    package let warnings: [SessionWarning]
    package let ownID: String?
    private let files: AttachmentFiles
    /// Finds a message by its row; nil until one is asked for.
    private var one: PreparedQuery<DesktopMessageRow>?

    /// By which messages are ordered: the first that is there.
    private static let times = ["serverTimestamp", "sent_at", "received_at"]
    /// Finds the conversation of a message; nil until one is asked for.
    private var owner: PreparedQuery<DesktopMessageOwner>?

    private static let read = ["conversations", "messages", "items", "configDump", "seenMessages"]

    /// - Parameters:
    ///   - database: without a log.
    ///   - copy: what is kept as long as the store is.
    ///   - files: of attachments.
    ///   - warnings: what was found before.
    init(
        _ database: SessionDatabase, holding copy: PrivateCopy?, files: AttachmentFiles,
        warnings: [SessionWarning] = []
    ) throws {
        let connection = try database.connect()
        let schema = try DesktopSchema(connection)
        let tables = try SessionTables(connection, reading: Self.read)
        try tables.require(
            [
                (DesktopMessageRow.table, DesktopMessageRow.needed),
                (DesktopConversationRow.table, DesktopConversationRow.needed),
            ], isNewer: schema.isNewer)
        let items = DesktopItems(tables: tables)
        ownID = try items.ownID(connection)
        self.warnings = try warnings + schema.warnings(connection, tables)
        self.connection = connection
        self.copy = copy
        self.tables = tables
        self.items = items
        self.schema = schema
        self.files = files
    }

    package func attachmentKey() throws -> SecretSeed? {
        try SessionStoreError.mapping { try items.attachmentKey(connection) }
    }

    package var version: SessionSchemaVersion {
        SessionSchemaVersion(userVersion: schema.userVersion, lokiSchema: schema.version)
    }

    package func recoveryPassword() throws -> RecoveryPassword? {
        try SessionStoreError.mapping { try items.recoveryPassword(connection) }
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
            var counts = try MessageCounts(countedMessages, counts: counts, connection)
            var found: [SessionConversation] = []
            try forEachConversationRow(damaged) { row in
                let reader = DesktopConversationReader(row: row, ownID: ownID, counts: counts.take(row.id))
                do {
                    found.append(try reader.conversation())
                } catch let error as SessionStoreError {
                    try damaged(error)
                }
            }
            // Their messages are all that is left of them.
            found += counts.byConversation.map { SessionConversation(id: $0.key, orphans: $0.value) }
            return found.sorted(by: SessionConversation.wasUsedLater)
        }
    }

    private var countedMessages: CountedMessages {
        CountedMessages(
            DesktopMessageRow.table, of: "conversationId", unread: ("unread", 1), times: Self.times,
            wantsLast: false, in: tables)
    }

    package func forEachContact(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws {
        try SessionStoreError.mapping {
            let blocked = try items.blocked(connection)
            try forEachConversationRow(damaged) { row in
                let reader = DesktopConversationReader(row: row, ownID: ownID, counts: nil)
                guard reader.isContact else { return }
                let contact: SessionContact
                do {
                    contact = try reader.contact(blocked: blocked)
                } catch let error as SessionStoreError {
                    return try damaged(error)
                }
                try body(contact)
            }
        }
    }

    private func forEachConversationRow(
        _ damaged: (SessionStoreError) throws -> Void, _ body: (DesktopConversationRow) throws -> Void
    ) throws {
        let query = try RowQuery<DesktopConversationRow>(
            [tables.source(DesktopConversationRow.table)], "FROM conversations", file: tables.file)
        try query.forEach(connection, "ORDER BY conversations.id", damaged: damaged, body)
    }

    // MARK: Messages

    package func forEachMessage(
        of conversation: String, _ choice: MessageChoice, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws {
        let table = DesktopMessageRow.table
        let cursor = MessageCursor<DesktopMessageRow>(
            sources: [tables.source(table)], tableName: table, conversation: "conversationId",
            order: [
                tables.first(of: Self.times, in: table),
                tables.first(of: ["received_at"], in: table),
            ])
        try SessionStoreError.mapping {
            var cursor = cursor
            if case .newest = choice { cursor.shortcut = try shortcut() }
            try cursor.forEach(of: conversation, choice, connection, damaged: damaged) { row in
                try body(DesktopMessageReader(row: row, ownID: ownID).message(in: conversation))
            }
        }
    }

    /// Servers give times to messages of communities only, and before all others those count.
    private func shortcut() throws(DatabaseError) -> MessageCursor<DesktopMessageRow>.Shortcut? {
        let (table, column) = (DesktopMessageRow.table, "sent_at")
        let indexes = try countedMessages.indexes(connection)
        guard indexes.orderedBy == column else { return nil }
        let others = ["serverTimestamp"].filter { tables.has($0, in: table) }
        return .init(
            order: ["\(table).\(column)", tables.first(of: ["received_at"], in: table)],
            column: "\(table).\(column)", others: others.map { "\(table).\($0)" })
    }

    package func message(row: Int64, of conversation: String) throws -> SessionMessage? {
        try SessionStoreError.mapping {
            let query =
                try one
                ?? MessageCursor.query(
                    [tables.source(DesktopMessageRow.table)], DesktopMessageRow.table, connection)
            one = query
            return try query.all([.integer(row)]).first.map { row in
                DesktopMessageReader(row: row, ownID: ownID).message(in: conversation)
            }
        }
    }

    private var glances: MessageGlances {
        let table = DesktopMessageRow.table
        var textsOnly = ["messages.id IS NOT NULL"]
        textsOnly.append(
            tables.has("type", in: table) ? "messages.type IN ('incoming', 'outgoing')" : "0")
        for end in ["expires_at", "expirationStartTimestamp"] where tables.has(end, in: table) {
            textsOnly.append("COALESCE(messages.\(end), 0) = 0")
        }
        return MessageGlances(
            table, of: "conversationId", body: "body", document: "json", expiresAt: "expires_at",
            textsOnly: textsOnly, marks: DesktopMessageParts.marks, in: tables)
    }

    package func conversation(ofMessage row: Int64) throws -> String? {
        try SessionStoreError.mapping {
            let query =
                try owner
                ?? MessageCursor.query(
                    [tables.source(DesktopMessageRow.table)], DesktopMessageRow.table, connection)
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
        let records = DesktopRecords(tables: tables)
        try SessionStoreError.mapping { try records.forEachSeen(connection, damaged, body) }
    }

    package func forEachConfigDump(
        _ body: (SessionConfigDump, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let dumps = ConfigDumps(tables: tables, timestamp: nil)
        try SessionStoreError.mapping { try unsafe dumps.forEach(connection, body) }
    }
}
