package import ValiseDatabase
package import ValiseEncoding
import ValiseFailures
package import ValiseSessionStore

/// The conversations of an account of Session, from whichever program's store. For one thread at a time.
///
/// A message with several attachments becomes as many items, since an item has one file. What has no counterpart in the model is
/// in the content of an item, under `session`: for Desktop the stored document whole.
package final class SessionLog: ConversationSource {
    private let store: any SessionStore
    private let now: UTCTime
    private let includesExpired: Bool
    private let names: SessionNames
    /// By their keys; nil until they are asked for.
    private var known: [String: SessionConversation]?

    /// How many messages were left out because their time is over.
    package let expired: ExpiredMessages

    package var program: String { "session" }

    /// - Parameters:
    ///   - store: of the account.
    ///   - now: by which messages are expired.
    ///   - includesExpired: whether messages that the app would have removed are read too.
    ///   - expired: counts those that are left out; several readers of the same store may share it.
    /// - Throws: `SessionStoreError`.
    package init(
        _ store: any SessionStore, now: UTCTime, includesExpired: Bool = false,
        expired: ExpiredMessages = ExpiredMessages()
    ) throws {
        self.store = store
        self.now = now
        self.includesExpired = includesExpired
        self.expired = expired
        names = try SessionNames(of: store)
    }

    /// The files of items.
    /// - Throws: as they are opened.
    package func files() throws -> SessionItemFiles { try SessionItemFiles(store) }

    package func users() throws -> [LogUser] {
        [LogUser(id: SessionNames.userRow, name: names.own.name, isActive: true, isHidden: false)]
    }

    package func knownNames() throws -> [KnownNames] { names.known }

    package func isOrderedByTime(_ conversation: Conversation) -> Bool { true }

    // MARK: Conversations

    package func conversations(
        includesHidden: Bool = false, damaged: (DatabaseError) throws -> Void = { throw $0 }
    ) throws -> [Conversation] {
        var told: Set<String> = []
        func tell(_ error: SessionStoreError) throws {
            if told.insert(error.description).inserted { try damaged(DatabaseError(error)) }
        }
        let found = try store.conversations(damaged: tell)
        try names.damaged.forEach(tell)
        known = Self.byKey(found)
        let builder = SessionConversations(found, userName: names.own.name)
        return found.map(builder.conversation)
    }

    private static func byKey(_ found: [SessionConversation]) -> [String: SessionConversation] {
        Dictionary(found.map { (SessionLogKey.text(of: $0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func stored(_ conversation: Conversation) throws -> SessionConversation? {
        if known == nil { known = Self.byKey(try store.conversations { _ in }) }
        return known?[conversation.key]
    }

    // MARK: Items

    package func forEachItem(
        of conversation: Conversation, newest: Int64? = nil,
        damaged: (DatabaseError) throws -> Void = { throw $0 },
        _ body: (ConversationItem) throws -> Void
    ) throws {
        guard let stored = try stored(conversation) else { return }
        guard let newest else {
            let count = try forEachItem(of: stored, newest: nil, damaged: damaged, body)
            return expired.set(count.expired, of: conversation.key)
        }
        // What is expired does not count, so that more and more are looked at.
        let wanted = max(0, newest)
        var looked = wanted
        while true {
            var items: [ConversationItem] = []
            var problems: [DatabaseError] = []
            let count = try forEachItem(
                of: stored, newest: looked, damaged: { problems.append($0) }, { items.append($0) })
            let isAll = count.messages + Int64(problems.count) < looked
            guard items.count >= wanted || isAll else {
                looked = looked.multipliedReportingOverflow(by: 4).partialValue
                continue
            }
            try problems.forEach(damaged)
            return try items.suffix(Int(clamping: wanted)).forEach(body)
        }
    }

    /// The items of a conversation that a query may match: of plain texts that it does not match, none is made.
    /// - Throws: as ``forEachItem(of:newest:damaged:_:)``.
    package func forEachItem(
        of conversation: Conversation, mayMatch query: TextQuery,
        damaged: (DatabaseError) throws -> Void, _ body: (ConversationItem) throws -> Void
    ) throws {
        guard let stored = try stored(conversation) else { return }
        let count = try forEachItem(
            of: stored, newest: nil, leavingOut: { !Self.mayMatch(query, $0) }, damaged: damaged, body)
        expired.set(count.expired, of: conversation.key)
    }

    /// What is more than a text has other texts too, and a mention is read as a name.
    private static func mayMatch(_ query: TextQuery, _ message: SessionMessage) -> Bool {
        guard message.content == .message, message.attachments.isEmpty, message.linkPreviews.isEmpty,
            let body = message.body, !body.utf8.contains(UInt8(ascii: "@"))
        else { return true }
        return query.matches(body)
    }

    /// How many messages there were, and how many of these were left out.
    private typealias Counted = (messages: Int64, expired: Int64)

    private func forEachItem(
        of conversation: SessionConversation, newest: Int64?,
        leavingOut isLeftOut: (SessionMessage) -> Bool = { _ in false },
        damaged: (DatabaseError) throws -> Void, _ body: (ConversationItem) throws -> Void
    ) throws -> Counted {
        let builder = SessionItemBuilder(SessionAuthors(conversation, names))
        var simultaneous = SimultaneousMessages()
        var counted: Counted = (0, 0)
        func give(_ messages: [SessionMessage]) throws {
            for message in messages where !isLeftOut(message) {
                try builder.items(of: message).forEach(body)
            }
        }
        try store.forEachMessage(
            of: conversation.id, newest: newest, damaged: { try damaged(DatabaseError($0)) },
            { message in
                counted.messages += 1
                if !includesExpired, message.isExpired(at: now) {
                    counted.expired += 1
                } else {
                    try give(simultaneous.add(message))
                }
            })
        try give(simultaneous.take())
        return counted
    }
}

extension DatabaseError {
    /// What is wrong with a row. The message names the subject: reports have no other.
    init(_ error: SessionStoreError) {
        self.init(
            error.code, error.subject.map { "\($0): \(error.message)" } ?? error.message,
            file: error.subject ?? "", isOfRow: true, cause: error.cause)
    }
}
