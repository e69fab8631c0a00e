import ValiseEncoding
import ValiseFailures
import ValiseSessionStore

/// The texts of an account of Session: those of all items of a message, as they are shown.
final class SessionTextRows: TextRows {
    /// What a search leaves out.
    struct Search {
        /// Messages that cannot match are passed over.
        let query: TextQuery
        /// By which messages are expired; nil where those are looked at too.
        let now: UTCTime?
        /// Counts them by conversations.
        let expired: ExpiredMessages
    }

    private let store: any SessionStore
    private let builders: [String: SessionItemBuilder]
    private let search: Search?

    /// - Parameter search: nil where all texts are wanted.
    /// - Throws: `SessionStoreError`.
    init(_ store: any SessionStore, search: Search? = nil) throws {
        self.store = store
        self.search = search
        let names = try SessionNames(of: store)
        let known = try store.conversations(counts: false) { _ in }
        builders = Dictionary(
            known.map { ($0.id, SessionItemBuilder(SessionAuthors($0, names))) },
            uniquingKeysWith: { first, _ in first })
    }

    func rows() throws -> ClosedRange<Int64>? { try store.messageRows() }

    /// None: what is damaged is found on the way.
    func damagedRows() -> [Int64] { [] }

    func forEach(
        in rows: ClosedRange<Int64>, _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        try unsafe store.forEachGlance(in: rows) { glance in
            if let search, unsafe glance.hasTextsOnly,
                unsafe !search.query.mayMatch(session: glance.text, document: glance.document)
            {
                return
            }
            let id = unsafe String(decoding: glance.conversation, as: UTF8.self)
            guard let builder = builders[id] else { return }
            if let search, let now = search.now, let end = unsafe glance.expiresAt, end <= now {
                return search.expired.add(1, of: SessionLogKey.text(of: id))
            }
            guard unsafe !glance.isTooLarge else { return try unsafe body(glance.row, nil) }
            try unsafe look(at: glance.row, of: id, builder, body)
        }
    }

    private func look(
        at row: Int64, of conversation: String, _ builder: SessionItemBuilder,
        _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        let message: SessionMessage
        do {
            guard let found = try store.message(row: row, of: conversation) else { return }
            message = found
        } catch let error as SessionStoreError where error.kind == .damaged {
            return try body(row, nil)
        }
        let texts = builder.texts(of: message)
        guard let search else {
            return try unsafe Self.give(texts.joined(separator: "\n"), row, body)
        }
        if let now = search.now, message.isExpired(at: now) {
            return search.expired.add(1, of: SessionLogKey.text(of: conversation))
        }
        for text in texts { try unsafe Self.give(text, row, body) }
    }

    private static func give(
        _ text: String, _ row: Int64, _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        var text = text
        try text.withUTF8 { try unsafe body(row, UnsafeRawBufferPointer($0)) }
    }
}
