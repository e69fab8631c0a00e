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
}

extension ConversationSource {
    package var redacted: [String] { [] }

    package func knownNames() throws -> [KnownNames] { [] }
}
