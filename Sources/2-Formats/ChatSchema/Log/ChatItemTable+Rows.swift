package import ValiseDatabase

/// An item in a conversation that shows it, and its place in the order there.
package struct FoundPlace: Sendable {
    package let row: Int64
    package let user: Int64
    package let scope: ItemScope
    /// The time that the conversation is ordered by, as it is stored.
    private let time: Value

    fileprivate init(row: Int64, user: Int64, _ scope: ItemScope, createdAt: Value, time: Value) {
        self.row = row
        self.user = user
        self.scope = scope
        self.time = scope.isOrderedByTime ? time : createdAt
    }

    /// Whether an item is before another one of the same conversation.
    package func isBefore(_ other: FoundPlace) -> Bool {
        let order = Self.order(time, other.time)
        return order == 0 ? row < other.row : order < 0
    }

    /// As SQLite orders values: NULL, numbers, texts, blobs.
    private static func order(_ left: Value, _ right: Value) -> Int {
        switch (left, right) {
        case (.text(let left), .text(let right)): return order(left.utf8, right.utf8)
        case (.blob(let left), .blob(let right)): return order(left, right)
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        default: break
        }
        if let left = number(left), let right = number(right) {
            return left < right ? -1 : left > right ? 1 : 0
        }
        return rank(left) - rank(right)
    }

    private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    private static func number(_ value: Value) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

extension ChatItemTable {
    /// When a conversation was last used, as it is stored; nil for an empty one. Its items are not counted.
    /// - Throws: `DatabaseError`.
    package func last(
        user: Int64, _ scope: ItemScope, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        guard let (condition, values) = condition(user, scope) else { return nil }
        let time = scope.isOrderedByTime ? "item_ts" : "created_at"
        let last = try connection.value(
            "SELECT i.\(time) FROM chat_items i WHERE \(condition) ORDER BY i.\(time) DESC LIMIT 1", values)
        return last.flatMap { String($0) }
    }
}

/// Reads items by their rows, with statements that are prepared once.
package final class ChatItemRows {
    private let table: ChatItemTable
    private let place: Statement
    private let item: PreparedQuery<ChatItemRow>

    /// - Throws: `DatabaseError`.
    package init(_ table: ChatItemTable, _ connection: borrowing Connection) throws(DatabaseError) {
        self.table = table
        let notes = table.hasNotes ? "note_folder_id" : "NULL"
        let scope = table.hasScopes ? "group_scope_tag, group_scope_group_member_id" : "NULL, NULL"
        place = try connection.prepare(
            """
            SELECT user_id, contact_id, group_id, \(notes), \(scope), created_at, item_ts
            FROM chat_items WHERE chat_item_id = ?
            """)
        item = try table.query.prepared(connection, Self.condition)
    }

    private static let condition = "i.chat_item_id = ?"

    /// The places of an item: one, unless somebody made the database by hand; none for one that is not there.
    /// - Throws: `DatabaseError`.
    package func places(of row: Int64) throws(DatabaseError) -> [FoundPlace] {
        try place.bind([.integer(row)])
        guard try place.step(), let user = place.value(0).integer else { return [] }
        var scopes: [ItemScope] = []
        if let contact = place.value(1).integer { scopes.append(.contact(contact)) }
        if let notes = place.value(3).integer { scopes.append(.notes(notes)) }
        if let group = place.value(2).integer,
            let scope = Self.scope(of: group, place.value(4), place.value(5))
        {
            scopes.append(scope)
        }
        let (createdAt, time) = (place.value(6), place.value(7))
        return scopes.map { FoundPlace(row: row, user: user, $0, createdAt: createdAt, time: time) }
    }

    private static func scope(of group: Int64, _ tag: Value, _ member: Value) -> ItemScope? {
        switch (tag, member) {
        case (.null, .null): .group(group)
        case (.text("member_support"), .null): .support(group: group, member: nil)
        case (.text("member_support"), .integer(let member)): .support(group: group, member: member)
        default: nil
        }
    }

    /// An item, as ``ChatItemTable/rows(user:_:_:newest:)`` has it: one with several files comes as often.
    /// - Throws: `DatabaseError` where the rows cannot be read any further.
    package func item(
        _ row: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> [Result<ChatItemRow, DatabaseError>] {
        do throws(DatabaseError) {
            return try item.all([.integer(row)]).map { .success($0) }
        } catch {
            guard error.isOfRow else { throw error }
        }
        // One of several rows may be sound.
        var rows = try table.query.rows(connection, Self.condition, [.integer(row)])
        var found: [Result<ChatItemRow, DatabaseError>] = []
        while let row = try rows.nextResult() { found.append(row) }
        return found
    }
}
