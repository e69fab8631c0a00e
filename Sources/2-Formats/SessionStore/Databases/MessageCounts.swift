import SystemPackage
import ValiseDatabase

/// How many messages each conversation has, counted in one pass.
struct MessageCounts {
    struct Count {
        var messages: Int64 = 0
        /// Nil where it is not stored.
        var unread: Int64?
        /// The time of the last one, in milliseconds since 1970; nil where it was not asked for.
        var last: Int64?
        /// The time of the first one, likewise.
        var first: Int64?
    }

    private(set) var byConversation: [String: Count] = [:]

    /// More conversations are not counted: the others have none of the program's rows.
    private static let mostConversations = 1_000_000

    /// - Parameters:
    ///   - query: gives conversations, numbers of messages and of unread ones, and the times of the last and the first.
    ///   - connection: to the database.
    /// - Throws: `DatabaseError`; ``SessionStoreError`` with `unsupported` for too many conversations.
    init(_ query: String, _ connection: borrowing Connection) throws {
        let rows = try connection.prepare(query)
        while try rows.step() {
            guard let id = String(rows.value(0)), let messages = rows.value(1).integer else { continue }
            guard byConversation.count < Self.mostConversations else {
                throw SessionStoreError(
                    .unsupported, "the database has too many conversations", connection.path.string)
            }
            byConversation[id] = Count(
                messages: messages, unread: rows.value(2).integer, last: rows.value(3).integer,
                first: rows.value(4).integer)
        }
    }

    /// Takes the count of a conversation out.
    mutating func take(_ id: String) -> Count { byConversation.removeValue(forKey: id) ?? Count() }
}
