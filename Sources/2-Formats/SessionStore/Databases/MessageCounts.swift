import SystemPackage
import ValiseDatabase

/// Which conversations have messages, how many, and when they began.
struct MessageCounts {
    struct Count {
        /// 0 where they were not counted.
        var messages: Int64 = 0
        /// Nil where it is not stored.
        var unread: Int64?
        /// The time of the last one, in milliseconds since 1970; nil where it was not asked for.
        var last: Int64?
        /// The time of the first one, likewise.
        var first: Int64?
    }

    private(set) var byConversation: [String: Count] = [:]
    private let table: CountedMessages

    /// More conversations are not counted: the others have none of the program's rows.
    private static let mostConversations = 1_000_000

    /// - Parameters:
    ///   - table: the messages.
    ///   - counts: whether messages are counted; without, their conversations are looked for, and the times of the last.
    ///   - connection: to the database.
    /// - Throws: `DatabaseError`; ``SessionStoreError`` with `unsupported` for too many conversations.
    init(_ table: CountedMessages, counts: Bool, _ connection: borrowing Connection) throws {
        self.table = table
        let indexes = try table.indexes(connection)
        switch (counts, indexes.isByConversation, indexes.areForCounts) {
        case (true, _, false): try count(connection)
        case (true, _, true): try count(by: indexes, connection)
        case (false, true, _): try find(indexes, connection)
        case (false, false, _): try findAll(connection)
        }
    }

    /// Takes the count of a conversation out; nil where it has no messages.
    mutating func take(_ id: String) -> Count? { byConversation.removeValue(forKey: id) }

    private mutating func add(_ id: String, _ count: Count, _ connection: borrowing Connection) throws {
        guard byConversation.count < Self.mostConversations else {
            throw SessionStoreError(
                .unsupported, "the database has too many conversations", connection.path.string)
        }
        byConversation[id] = count
    }

    // MARK: In one pass over all messages

    private mutating func count(_ connection: borrowing Connection) throws {
        let last = table.wantsLast ? "max(\(table.time))" : "NULL"
        let rows = try connection.prepare(
            """
            SELECT \(table.conversation), count(*), \(table.unreadCount), \(last), min(\(table.time))
            FROM \(table.name) GROUP BY \(table.conversation)
            """)
        while try rows.step() {
            guard let id = String(rows.value(0)), let messages = rows.value(1).integer else { continue }
            let count = Count(
                messages: messages, unread: rows.value(2).integer, last: rows.value(3).integer,
                first: rows.value(4).integer)
            try add(id, count, connection)
        }
    }

    private mutating func findAll(_ connection: borrowing Connection) throws {
        let last = table.wantsLast ? "max(\(table.time))" : "NULL"
        let rows = try connection.prepare(
            "SELECT \(table.conversation), \(last) FROM \(table.name) GROUP BY \(table.conversation)")
        while try rows.step() {
            guard let id = String(rows.value(0)) else { continue }
            try add(id, Count(last: rows.value(1).integer), connection)
        }
    }

    // MARK: By indexes, which have little of each message

    private mutating func count(by indexes: CountedMessages.Indexes, _ connection: borrowing Connection)
        throws
    {
        let rows = try connection.prepare(
            "SELECT \(table.conversation), count(*) FROM \(table.name) GROUP BY \(table.conversation)")
        while try rows.step() {
            guard let id = String(rows.value(0)), let messages = rows.value(1).integer else { continue }
            let unread: Int64? = table.unread == nil ? nil : 0
            try add(id, Count(messages: messages, unread: unread), connection)
        }
        try addUnread(connection)
        try addTimes(indexes, connection)
    }

    private mutating func addUnread(_ connection: borrowing Connection) throws {
        guard let unread = table.unread else { return }
        let rows = try connection.prepare(
            """
            SELECT \(table.conversation), count(*) FROM \(table.name) WHERE \(unread.column) = \(unread.value)
            GROUP BY \(table.conversation)
            """)
        while try rows.step() {
            guard let id = String(rows.value(0)) else { continue }
            byConversation[id]?.unread = rows.value(1).integer
        }
    }

    private mutating func addTimes(
        _ indexes: CountedMessages.Indexes, _ connection: borrowing Connection
    ) throws {
        guard let ordered = indexes.orderedBy else { return }
        let first = try end(ordered, "ASC", connection)
        for id in byConversation.keys { byConversation[id]?.first = try Self.time(id, first) }
        guard table.wantsLast else { return }
        let last = try end(ordered, "DESC", connection)
        for id in byConversation.keys { byConversation[id]?.last = try Self.time(id, last) }
    }

    /// The time of the first or the last message of a conversation.
    private func end(
        _ column: String, _ direction: String, _ connection: borrowing Connection
    ) throws -> Statement {
        try connection.prepare(
            """
            SELECT \(table.time) FROM \(table.name) WHERE \(table.conversation) = ? AND \(column) IS NOT NULL
            ORDER BY \(column) \(direction) LIMIT 1
            """)
    }

    private static func time(_ conversation: String, _ query: borrowing Statement) throws -> Int64? {
        try query.bind([.text(conversation)])
        return try query.step() ? query.value(0).integer : nil
    }

    /// The conversations, one after the other: no message is looked at but the first and the last of each.
    private mutating func find(
        _ indexes: CountedMessages.Indexes, _ connection: borrowing Connection
    ) throws {
        let name = table.conversation
        let next = try connection.prepare(
            "SELECT \(name) FROM \(table.name) WHERE \(name) > ? ORDER BY \(name) LIMIT 1")
        var id = ""
        while true {
            try next.bind([.text(id)])
            guard try next.step(), let found = String(next.value(0)), found != id else { break }
            try add(found, Count(), connection)
            id = found
        }
        if table.wantsLast { try addTimes(indexes, connection) }
    }
}

/// The messages of a store, as far as they are counted. Which columns there are depends on the version of its schema.
struct CountedMessages {
    let name: String
    let conversation: String
    /// Where a message is marked as unread; nil where that is not stored.
    let unread: (column: String, value: Int64)?
    /// What messages are ordered by: the first that is stored of these.
    let times: [String]
    /// Whether the time of the last one is asked for.
    let wantsLast: Bool

    init(
        _ name: String, of conversation: String, unread: (column: String, value: Int64), times: [String],
        wantsLast: Bool, in tables: SessionTables
    ) {
        (self.name, self.conversation, self.wantsLast) = (name, conversation, wantsLast)
        self.unread = tables.has(unread.column, in: name) ? unread : nil
        self.times = times.filter { tables.has($0, in: name) }
        time = tables.first(of: times, in: name)
    }

    /// In SQL.
    let time: String
    var unreadCount: String { unread.map { "sum(\($0.column) = \($0.value))" } ?? "NULL" }

    /// What of this the indexes of the database have.
    struct Indexes {
        var isByConversation = false
        var isByUnread = false
        /// The column behind the conversation in an index, which is one of the times.
        var orderedBy: String?

        /// Whether nothing else has to be read of most messages.
        var areForCounts: Bool { isByUnread && orderedBy != nil }
    }

    /// - Throws: `DatabaseError`.
    func indexes(_ connection: borrowing Connection) throws(DatabaseError) -> Indexes {
        var indexes = Indexes()
        indexes.isByUnread = unread == nil
        for index in try connection.indexes(of: name) where !index.isPartial {
            let keys = try connection.indexColumns(of: index.name).filter(\.isKey)
            // Texts of another order than that of their bytes would be walked through in another one.
            guard let first = keys.first, keys.allSatisfy({ $0.collation == "BINARY" }) else { continue }
            if first.column == conversation { indexes.isByConversation = true }
            if first.column != nil, first.column == unread?.column { indexes.isByUnread = true }
            guard first.column == conversation, keys.count > 1, let second = keys[1].column else { continue }
            if second == unread?.column { indexes.isByUnread = true }
            if times.contains(second) { indexes.orderedBy = second }
        }
        return indexes
    }
}
