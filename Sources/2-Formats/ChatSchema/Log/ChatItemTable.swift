import SystemPackage
package import ValiseDatabase

/// Which items of an account.
package enum ItemScope: Sendable, Hashable {
    case contact(Int64)
    case group(Int64)
    /// The talk of a member with a group's administrators; nil for the user's own.
    case support(group: Int64, member: Int64?)
    case notes(Int64)
}

/// The items of conversations, in the order in which the official programs show them (SimpleX's chat log, §4).
package struct ChatItemTable: Sendable {
    let query: RowQuery<ChatItemRow>
    let hasScopes: Bool
    let hasNotes: Bool
    /// Whether indexes of items begin with their user, as those of the official programs do. Valise's begin with the
    /// conversation, which is of one user alone: a condition on the user would make SQLite look at each item.
    private let isIndexedByUser: Bool

    /// - Returns: nil where the schema has no such table.
    /// - Throws: `DatabaseError`.
    package init?(_ schema: ChatSchema, _ connection: borrowing Connection) throws(DatabaseError) {
        let tables = schema.tables
        guard tables.has(.chatItems, with: "chat_item_id", "user_id") else { return nil }
        let canJoin = tables.has(.files, with: "chat_item_id", "file_id")
        let join = canJoin ? "LEFT JOIN files f ON f.chat_item_id = i.chat_item_id" : ""
        let files = canJoin ? [tables.source(.files, as: "f", outerKey: "file_id")] : []
        query = try RowQuery(
            [tables.source(.chatItems, as: "i")] + files, "FROM chat_items i \(join) WHERE",
            file: connection.path.string)
        hasScopes = tables.has(.chatItems, with: "group_scope_tag", "group_scope_group_member_id")
        hasNotes = tables.has(.chatItems, with: "note_folder_id")
        isIndexedByUser = try Self.isIndexedByUser(connection)
    }

    private static func isIndexedByUser(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
        let statement = try connection.prepare(
            """
            SELECT 1 FROM pragma_index_list('chat_items') AS list JOIN pragma_index_info(list.name) AS first
                JOIN pragma_index_info(list.name) AS second
            WHERE first.seqno = 0 AND first.name = 'user_id' AND second.seqno = 1
                AND second.name IN ('contact_id', 'group_id')
            LIMIT 1
            """)
        return try statement.step()
    }

    /// The items of a conversation.
    /// - Parameters:
    ///   - user: the profile that it belongs to.
    ///   - scope: the conversation.
    ///   - connection: to the chat database.
    ///   - newest: only so many, the newest first; nil for all, the oldest first.
    /// - Returns: nil where the schema knows no such conversations. An item with several files comes as often.
    /// - Throws: `DatabaseError`.
    package func rows(
        user: Int64, _ scope: ItemScope, _ connection: borrowing Connection, newest: Int64? = nil
    ) throws(DatabaseError) -> RowCursor<ChatItemRow>? {
        guard let (condition, values) = condition(user, scope) else { return nil }
        let time = scope.isOrderedByTime ? "item_ts" : "created_at"
        let order = newest == nil ? "" : " DESC"
        let limit = newest.map { " LIMIT \($0)" } ?? ""
        return try query.rows(
            connection, "\(condition) ORDER BY i.\(time)\(order), i.chat_item_id\(order)\(limit)", values)
    }

    /// The items of a conversation from one of them on, the oldest first.
    /// - Parameters:
    ///   - time: of the first one, by which items are ordered here, as it is stored.
    ///   - row: the first one's own.
    /// - Returns: as ``rows(user:_:_:newest:)``.
    /// - Throws: `DatabaseError`.
    package func rows(
        user: Int64, _ scope: ItemScope, _ connection: borrowing Connection, from time: String, row: Int64
    ) throws(DatabaseError) -> RowCursor<ChatItemRow>? {
        guard let (condition, values) = condition(user, scope) else { return nil }
        let column = scope.isOrderedByTime ? "item_ts" : "created_at"
        // The first comparison is for the index.
        let range = "i.\(column) >= ? AND (i.\(column) > ? OR i.chat_item_id >= ?)"
        return try query.rows(
            connection, "\(condition) AND \(range) ORDER BY i.\(column), i.chat_item_id",
            values + [.text(time), .text(time), .integer(row)])
    }

    /// How many items a conversation has, how many of them are unread, and the first and last times, as they are stored.
    /// - Parameters:
    ///   - user: the profile that it belongs to.
    ///   - scope: the conversation.
    ///   - unread: of all conversations of the profile, from `unread(of:_:)`.
    ///   - connection: to the chat database.
    /// - Throws: `DatabaseError`.
    package func summary(
        user: Int64, _ scope: ItemScope, unread: [ItemScope: Int64], _ connection: borrowing Connection
    ) throws(DatabaseError) -> ItemSummary {
        guard let (condition, values) = condition(user, scope) else { return ItemSummary() }
        let time = scope.isOrderedByTime ? "item_ts" : "created_at"
        let items = "FROM chat_items i WHERE \(condition)"
        // Each part by an index alone, where the schema has it. A banner has the time 0.
        let statement = try connection.prepare(
            """
            SELECT (SELECT count(*) \(items)),
                (SELECT i.\(time) \(items) AND i.\(time) >= '1971' ORDER BY i.\(time) LIMIT 1),
                (SELECT i.\(time) \(items) ORDER BY i.\(time) DESC LIMIT 1),
                (SELECT count(*) FROM (SELECT i.item_ts \(items) ORDER BY i.\(time) LIMIT \(Self.mostBeforeBanner))
                    WHERE item_ts < '1971')
            """)
        try statement.bind(Array(repeating: values, count: 4).flatMap { $0 })
        guard try statement.step() else { return ItemSummary() }
        return ItemSummary(
            count: (Int64(statement.value(0)) ?? 0) - (Int64(statement.value(3)) ?? 0),
            unread: unread[scope, default: 0],
            first: String(statement.value(1)), last: String(statement.value(2)))
    }

    /// How many unread items each conversation of a profile has, where it has any. They are few, and have an index of their own:
    /// asked for each conversation, SQLite would look at all of its items.
    /// - Throws: `DatabaseError`.
    package func unread(
        of user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> [ItemScope: Int64] {
        let notes = hasNotes ? "note_folder_id" : "NULL"
        let support =
            hasScopes ? "group_scope_tag = 'member_support', group_scope_group_member_id" : "0, NULL"
        let statement = try connection.prepare(
            """
            SELECT count(*), contact_id, group_id, \(notes), \(support) FROM chat_items
            WHERE user_id = ? AND item_status = 'rcv_new' GROUP BY 2, 3, 4, 5, 6
            """)
        try statement.bind([.integer(user)])
        var unread: [ItemScope: Int64] = [:]
        while try statement.step() {
            let columns = (1...5).map { Int64(statement.value($0)) }
            guard let scope = Self.scope(columns), let count = Int64(statement.value(0)) else { continue }
            unread[scope, default: 0] += count
        }
        return unread
    }

    /// - Parameter columns: the contact, the group, the note folder, whether it is a talk with administrators, and whose.
    private static func scope(_ columns: [Int64?]) -> ItemScope? {
        if let contact = columns[0] { return .contact(contact) }
        if let notes = columns[2] { return .notes(notes) }
        guard let group = columns[1] else { return nil }
        return columns[3] == 1 ? .support(group: group, member: columns[4]) : .group(group)
    }

    /// A banner, which is no item for a user, is among the first ones.
    private static let mostBeforeBanner = 10

    func condition(_ user: Int64, _ scope: ItemScope) -> (String, [Value])? {
        guard let (condition, values) = condition(scope) else { return nil }
        return isIndexedByUser
            ? ("i.user_id = ? AND \(condition)", [.integer(user)] + values) : (condition, values)
    }

    private func condition(_ scope: ItemScope) -> (String, [Value])? {
        switch scope {
        case .contact(let id): return ("i.contact_id = ?", [.integer(id)])
        case .notes(let id): return hasNotes ? ("i.note_folder_id = ?", [.integer(id)]) : nil
        case .group(let id):
            let main =
                hasScopes ? " AND i.group_scope_tag IS NULL AND i.group_scope_group_member_id IS NULL" : ""
            return ("i.group_id = ?\(main)", [.integer(id)])
        case .support(let group, let member):
            guard hasScopes else { return nil }
            return (
                "i.group_id = ? AND i.group_scope_tag = 'member_support' AND i.group_scope_group_member_id IS ?",
                [.integer(group), member.map { .integer($0) } ?? .null]
            )
        }
    }
}

/// What a conversation holds, in figures.
package struct ItemSummary: Sendable {
    package var count: Int64 = 0
    package var unread: Int64 = 0
    package var first: String?
    package var last: String?

    /// Of nothing.
    package init() {}

    init(count: Int64, unread: Int64, first: String?, last: String?) {
        self.count = count
        self.unread = unread
        self.first = first
        self.last = last
    }
}

extension ItemScope {
    /// Items of groups are in the order of the relays' times, others in that in which this device saw them.
    package var isOrderedByTime: Bool {
        switch self {
        case .group, .support: true
        case .contact, .notes: false
        }
    }
}
