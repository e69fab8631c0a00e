/// What kind of chat messages are in.
package enum ChatKind: String, Sendable, Codable {
    case contact
    case group
    case notes
    /// A message that names no chat.
    case none
}

/// The messages of both sides: rows of the table `chat_items`.
///
/// Two rows of the same id are the same message where they were sent or received, and created at the same time;
/// otherwise both sides went on from the same point, each with messages of its own.
package struct MessageComparison: Sendable, Equatable, Codable {
    /// Those of one side.
    package struct Side: Sendable, Equatable, Codable {
        package internal(set) var count = 0
        /// That only this side has.
        package internal(set) var only = 0
        /// When the newest was sent or received, as the database has it.
        package internal(set) var newest: String?
        /// The lowest id of a message that only this side has.
        package internal(set) var lowestOnly: Int64?
        /// The highest id of a message that only this side has.
        package internal(set) var highestOnly: Int64?
    }

    /// A chat whose messages differ.
    package struct Chat: Sendable, Equatable, Codable {
        package let kind: ChatKind
        /// Of its row.
        package let id: Int64
        /// As it is shown; nil where there is no such chat.
        package internal(set) var name: String?
        /// What the second side calls it, where that is something else.
        package internal(set) var otherName: String?
        package internal(set) var first = Side()
        package internal(set) var second = Side()
        /// On both sides, with different values.
        package internal(set) var changed = 0
    }

    package internal(set) var first = Side()
    package internal(set) var second = Side()
    /// Of those that only the first side has, how many have a higher id than every message of both sides.
    package internal(set) var newerInFirst = 0
    /// Likewise of the second side.
    package internal(set) var newerInSecond = 0
    /// On both sides, changed or not.
    package internal(set) var shared = 0
    /// On both sides, with different values: edited, read, deleted for everybody.
    package internal(set) var changed = 0
    /// Ids that are of one message in the first side, and of another one in the second.
    package internal(set) var reusedIDs = 0
    /// The highest id of a message of both sides.
    package internal(set) var lastShared: Int64?
    /// Those that differ, the one with most messages of one side alone first.
    package internal(set) var chats = BoundedList<Chat>()

    private enum CodingKeys: String, CodingKey {
        case first, second, newerInFirst, newerInSecond, shared, changed, lastShared, chats
        case reusedIDs = "reusedIds"
    }

    /// Whether all messages are on both sides, and unchanged.
    package var isSame: Bool { first.only == 0 && second.only == 0 && changed == 0 }
}
