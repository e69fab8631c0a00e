import SystemPackage
import ValiseChatSchema
import ValiseCryptoFiles
package import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseMedia

/// The conversations of an account of SimpleX Chat, official or Valise's own, of any schema that today's migrations know.
///
/// Rules of order, names and authors: Documentation/formats/chat-log.md.
package final class ChatLog: ConversationSource {
    let connection: Connection
    let schema: ChatSchema
    let items: ChatItemTable?
    /// Whether conversations tell how many items they have, which takes longer than all else of them.
    private let counts: Bool

    package var program: String { "simplex" }

    /// - Parameters:
    ///   - connection: to the chat database; it stays open as long as this lives.
    ///   - counts: whether conversations tell how many items they have. Without, only their last time is looked for.
    /// - Throws: `DatabaseError`: `unsupported` where it is no chat database.
    package init(_ connection: consuming Connection, counts: Bool = true) throws(DatabaseError) {
        self.counts = counts
        schema = try ChatSchema(connection)
        guard schema.listsUsers else {
            throw DatabaseError(
                .unsupported, "not an account database: there is no table of users",
                file: connection.path.string)
        }
        items = try ChatItemTable(schema, connection)
        self.connection = connection
    }

    package func users() throws -> [LogUser] {
        var users: [LogUser] = []
        var rows = try schema.users(connection)
        while let row = try rows.next() {
            let profile = try schema.profile(of: row.id, connection)
            users.append(
                LogUser(
                    id: row.id, name: profile?.names.displayName.value ?? row.name,
                    isActive: row.isActive.value ?? false, isHidden: row.isHidden.value ?? false))
        }
        return users
    }

    // MARK: Conversations

    package func conversations(
        includesHidden: Bool = false, damaged: (DatabaseError) throws -> Void = { throw $0 }
    ) throws -> [Conversation] {
        var found: [Conversation] = []
        for user in try users() where includesHidden || !user.isHidden {
            let builder = ConversationBuilder(user)
            let unread = try items?.unread(of: user.id, connection) ?? [:]
            let summary = { [self] scope in try self.summary(user, scope, unread) }
            try forEachResult(schema.contacts(of: user.id, connection), damaged) {
                found.append(builder.contact($0, try summary(.contact($0.id))))
            }
            try forEachResult(schema.groups(of: user.id, connection), damaged) { group in
                found.append(builder.group(group, try summary(.group(group.id))))
                found += try supportTalks(of: group, builder, summary, damaged)
            }
            for folder in try schema.noteFolders(of: user.id, connection) {
                found.append(builder.notes(folder, try summary(.notes(folder))))
            }
        }
        // Those that were never used are last.
        return found.sorted {
            guard let left = $0.last else { return false }
            return $1.last.map { left > $0 } ?? true
        }
    }

    private func forEachResult<Row>(
        _ rows: consuming RowCursor<Row>, _ damaged: (DatabaseError) throws -> Void,
        _ body: (Row) throws -> Void
    ) throws {
        while let row = try rows.nextResult() {
            switch row {
            case .success(let row): try body(row)
            case .failure(let error): try damaged(error)
            }
        }
    }

    private func summary(
        _ user: LogUser, _ scope: ItemScope, _ unread: [ItemScope: Int64]
    ) throws -> ItemSummary {
        guard counts else {
            var summary = ItemSummary()
            summary.last = try items?.last(user: user.id, scope, connection)
            return summary
        }
        return try items?.summary(user: user.id, scope, unread: unread, connection) ?? ItemSummary()
    }

    private func supportTalks(
        of group: GroupRow, _ builder: ConversationBuilder, _ summary: (ItemScope) throws -> ItemSummary,
        _ damaged: (DatabaseError) throws -> Void
    ) throws -> [Conversation] {
        let scopes = try schema.supportScopes(of: group.id, connection)
        guard !scopes.isEmpty else { return [] }
        let members = try GroupMembers(
            of: group.id, user: builder.user.name, schema, connection, damaged: damaged)
        return try scopes.map { scope in
            try builder.support(group, scope, members, summary(scope))
        }
    }

    /// The files, for ``keys(of:in:)``; nil where the schema has no such table.
    /// - Throws: `DatabaseError`.
    func mediaTable() throws -> MediaTable? { try MediaTable(connection) }

    /// What a row of the table of files says; nil where it is missing or has no path.
    /// - Throws: `DatabaseError`.
    func mediaReference(_ row: Int64, in table: MediaTable?) throws -> MediaReference? {
        try table?.reference(row, connection)
    }

    /// The keys of an item's file.
    /// - Returns: nil where the database has none that any program could use.
    /// - Throws: `DatabaseError`; `SecretsError`.
    func keys(of file: ItemFile, in table: MediaTable?) throws -> CryptoFileArgs? {
        try table?.usableKeys(of: file.row, connection)
    }

    // MARK: Items

    package func forEachItem(
        of conversation: Conversation, newest: Int64? = nil,
        damaged: (DatabaseError) throws -> Void = { throw $0 },
        _ body: (ConversationItem) throws -> Void
    ) throws {
        var last: [ConversationItem] = []
        try forEachRow(of: conversation, damaged: damaged) { items, scope in
            try items.rows(user: conversation.user, scope, connection, newest: newest)
        } _: { row, builder in
            let item = try builder.item(row)
            if newest == nil { try body(item) } else { last.append(item) }
        }
        for item in last.reversed() { try body(item) }
    }

    /// Walks through all rows of a conversation, with what makes items of them.
    func forEachRow(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ChatItemRow, ItemBuilder) throws -> Void
    ) throws {
        try forEachRow(of: conversation, damaged: damaged) { items, scope in
            try items.rows(user: conversation.user, scope, connection)
        } _: { row, builder in
            try body(row, builder)
        }
    }

    /// Walks through some rows of a conversation, with what makes items of them; where the schema knows no such conversations,
    /// through none.
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - rows: opens the rows.
    ///   - body: receives each row, that of an item with several files once.
    func forEachRow(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        rows: (ChatItemTable, ItemScope) throws -> RowCursor<ChatItemRow>?,
        _ body: (ChatItemRow, ItemBuilder) throws -> Void
    ) throws {
        guard let items, let scope = ConversationKey(conversation.key)?.scope,
            let rows = try rows(items, scope)
        else { return }
        let builder = try ItemBuilder(conversation, scope, schema, connection, damaged: damaged)
        try Self.forEach(rows, damaged) { try body($0, builder) }
    }

    /// An item that has several files comes once, with its own file.
    private static func forEach(
        _ rows: consuming RowCursor<ChatItemRow>, _ damaged: (DatabaseError) throws -> Void,
        _ body: (ChatItemRow) throws -> Void
    ) throws {
        var waiting: ChatItemRow?
        while let row = try rows.nextResult() {
            switch row {
            case .failure(let error): try damaged(error)
            case .success(let row):
                if let last = waiting, last.id == row.id {
                    if last.file?.isInternal == true { waiting = row }
                    continue
                }
                if let last = waiting { try body(last) }
                waiting = row
            }
        }
        if let last = waiting { try body(last) }
    }
}
