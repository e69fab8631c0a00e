package import ValiseDatabase

/// Where conversations are read from: an account's database, or an earlier export. Renderers see nothing else.
///
/// Items are lent one at a time: memory does not grow with their number.
package protocol ConversationSource {
    /// The program whose account it is, such as `simplex`.
    var program: String { get }

    /// What was kept back of it, see ``ChatRedaction/words``.
    var redacted: [String] { get }

    /// All names that conversations and items might not show, such as the name of a contact that the user gave an alias.
    /// - Throws: `DatabaseError`.
    func knownNames() throws -> [KnownNames]

    /// The profiles of the account's user.
    /// - Throws: `DatabaseError`.
    func users() throws -> [LogUser]

    /// All conversations, the one that was used last first.
    /// - Parameters:
    ///   - includesHidden: also those of hidden profiles.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    /// - Throws: `DatabaseError`.
    func conversations(
        includesHidden: Bool, damaged: (DatabaseError) throws -> Void
    ) throws -> [Conversation]

    /// Whether the items of a conversation are in the order of ``ConversationItem/time``; else in that of
    /// ``ConversationItem/createdAt``. Those of the same time are in the order of their rows.
    /// - Parameter conversation: one of those of this source.
    func isOrderedByTime(_ conversation: Conversation) -> Bool

    /// The items of a conversation in the order in which the official programs show them.
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - newest: only so many, the last ones; nil for all.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - body: receives each item; throw to stop.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    func forEachItem(
        of conversation: Conversation, newest: Int64?, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws

    /// What has to be known of the items of a conversation to divide it into pages, in their order.
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - body: receives each; throw to stop.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    func forEachOutline(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ItemOutline) throws -> Void
    ) throws

    /// The items of a conversation from one of them on.
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - place: where the first one is, as an outline said.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - body: receives each item; throw to stop.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    func forEachItem(
        of conversation: Conversation, from place: ItemPosition, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws

    /// The items of a conversation whose texts match, with their numbers among all.
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - isWanted: sees the text and the number of each item; throw to stop.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - body: receives each item that matches; throw to stop.
    /// - Throws: `DatabaseError`; whatever `isWanted` and `body` throw.
    func forEachMatch(
        in conversation: Conversation, where isWanted: (_ text: String, _ ordinal: Int64) throws -> Bool,
        damaged: (DatabaseError) throws -> Void,
        _ body: (_ item: ConversationItem, _ ordinal: Int64) throws -> Void
    ) throws
}

/// By reading all items, for a source that knows no shorter way.
extension ConversationSource {
    package func forEachOutline(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ItemOutline) throws -> Void
    ) throws {
        try forEachNumbered(of: conversation, damaged: damaged) { item, ordinal in
            try body(ItemOutline(item, at: ItemPosition(ordinal: ordinal)))
        }
    }

    package func forEachItem(
        of conversation: Conversation, from place: ItemPosition, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        try forEachNumbered(of: conversation, damaged: damaged) { item, ordinal in
            if ordinal >= place.ordinal { try body(item) }
        }
    }

    package func forEachMatch(
        in conversation: Conversation, where isWanted: (_ text: String, _ ordinal: Int64) throws -> Bool,
        damaged: (DatabaseError) throws -> Void,
        _ body: (_ item: ConversationItem, _ ordinal: Int64) throws -> Void
    ) throws {
        try forEachNumbered(of: conversation, damaged: damaged) { item, ordinal in
            if try isWanted(item.text, ordinal) { try body(item, ordinal) }
        }
    }

    private func forEachNumbered(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem, Int64) throws -> Void
    ) throws {
        var ordinal: Int64 = 0
        try forEachItem(of: conversation, newest: nil, damaged: damaged) { item in
            try body(item, ordinal)
            ordinal += 1
        }
    }
}

extension ConversationSource {
    package var redacted: [String] { [] }

    package func knownNames() throws -> [KnownNames] { [] }

    package func isOrderedByTime(_ conversation: Conversation) -> Bool {
        ![.contact, .notes].contains(conversation.kind)
    }
}
