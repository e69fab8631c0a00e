package import ValiseConcurrency
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
    private let counts: Bool
    private let reopen: (@Sendable () throws -> any SessionStore)?
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
    ///   - counts: whether conversations tell how many messages they have, and when they began.
    ///   - expired: counts those that are left out; several readers of the same store may share it.
    ///   - reopen: opens the store once more, for another thread; nil where nothing is searched.
    /// - Throws: `SessionStoreError`.
    package init(
        _ store: any SessionStore, now: UTCTime, includesExpired: Bool = false, counts: Bool = true,
        expired: ExpiredMessages = ExpiredMessages(),
        reopen: (@Sendable () throws -> any SessionStore)? = nil
    ) throws {
        self.store = store
        self.now = now
        self.includesExpired = includesExpired
        self.counts = counts
        self.reopen = reopen
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
        let found = try store.conversations(counts: counts, damaged: tell)
        try names.damaged.forEach(tell)
        known = Self.byKey(found)
        let builder = SessionConversations(found, userName: names.own.name)
        return found.map(builder.conversation)
    }

    private static func byKey(_ found: [SessionConversation]) -> [String: SessionConversation] {
        Dictionary(found.map { (SessionLogKey.text(of: $0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func stored(_ conversation: Conversation) throws -> SessionConversation? {
        if known == nil { known = Self.byKey(try store.conversations(counts: false) { _ in }) }
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
            let count = try forEachItem(of: stored, .all, damaged: damaged, body)
            return expired.set(count.expired, of: conversation.key)
        }
        // What is expired does not count, so that more and more are looked at.
        let wanted = max(0, newest)
        var looked = wanted
        while true {
            var items: [ConversationItem] = []
            var problems: [DatabaseError] = []
            let count = try forEachItem(
                of: stored, .newest(looked), damaged: { problems.append($0) }, { items.append($0) })
            let isAll = count.messages + Int64(problems.count) < looked
            guard items.count >= wanted || isAll else {
                looked = looked.multipliedReportingOverflow(by: 4).partialValue
                continue
            }
            try problems.forEach(damaged)
            return try items.suffix(Int(clamping: wanted)).forEach(body)
        }
    }

    /// How many messages there were, and how many of these were left out.
    private typealias Counted = (messages: Int64, expired: Int64)

    private func forEachItem(
        of conversation: SessionConversation, _ choice: MessageChoice,
        damaged: (DatabaseError) throws -> Void, _ body: (ConversationItem) throws -> Void
    ) throws -> Counted {
        let builder = SessionItemBuilder(SessionAuthors(conversation, names))
        var simultaneous = SimultaneousMessages()
        var counted: Counted = (0, 0)
        func give(_ messages: [SessionMessage]) throws {
            for message in messages { try builder.items(of: message).forEach(body) }
        }
        try store.forEachMessage(
            of: conversation.id, choice, damaged: { try damaged(DatabaseError($0)) },
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

// MARK: Searching

/// Messages of an account of Session that may match a query, by the keys of their conversations.
package struct FoundMessages: Sendable {
    fileprivate let rows: [String: Set<Int64>]
    /// How many messages were left out because their time is over; nil where not all were looked at.
    fileprivate let expired: ExpiredMessages?

    /// How many there are.
    package var count: Int { rows.values.reduce(0) { $0 + $1.count } }
}

extension SessionLog {
    /// The texts of all items, for a search index.
    /// - Throws: `SessionStoreError` with `failed` where the store cannot be opened once more.
    package func texts() throws -> TextRowsOpener {
        let reopen = try opener()
        return { try SessionTextRows(reopen()) }
    }

    private func opener() throws -> @Sendable () throws -> any SessionStore {
        if let reopen { return reopen }
        throw SessionStoreError(.failed, "the store cannot be opened for another thread")
    }

    /// Looks at all texts, on all cores.
    /// - Parameter progress: throw to stop.
    /// - Throws: `SessionStoreError`; errors of the store; whatever `progress` throws.
    package func find(_ query: TextQuery, progress: ProgressHandler) throws -> FoundMessages {
        let expired = ExpiredMessages()
        let search = SessionTextRows.Search(query: query, now: includesExpired ? nil : now, expired: expired)
        let reopen = try opener()
        let scan = ItemTextScan { try SessionTextRows(reopen(), search: search) }
        return try found(scan.rows(matching: query, progress: progress), expired: expired)
    }

    /// Messages of which the rows are known, as from a search index.
    /// - Throws: `SessionStoreError`.
    package func found(_ rows: [Int64]) throws -> FoundMessages { try found(rows, expired: nil) }

    private func found(_ rows: [Int64], expired: ExpiredMessages?) throws -> FoundMessages {
        var found: [String: Set<Int64>] = [:]
        for row in rows {
            guard let id = try store.conversation(ofMessage: row) else { continue }
            found[SessionLogKey.text(of: id), default: []].insert(row)
        }
        return FoundMessages(rows: found, expired: expired)
    }

    /// The items of messages of a conversation that were found, in the order of ``forEachItem(of:newest:damaged:_:)``.
    /// - Throws: as that.
    package func forEachItem(
        _ found: FoundMessages, of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        guard let stored = try stored(conversation) else { return }
        let rows = found.rows[conversation.key, default: []]
        let count = try forEachItem(of: stored, .rows(rows), damaged: damaged, body)
        expired.set(found.expired?.count(of: conversation.key) ?? count.expired, of: conversation.key)
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
