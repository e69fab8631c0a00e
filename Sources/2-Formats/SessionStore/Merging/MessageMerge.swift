import ValiseEncoding

/// Makes one message of its copies, by a rule for each field that does not depend on the order of the stores.
///
/// A deletion counts, wherever it was made. Of texts the longest is taken, of states the latest, of timers the one that ends first,
/// of files those that are there; reactions are united. What only one copy has is no conflict where nothing says otherwise.
struct MessageMerge {
    private let copies: [MessageCopy]
    /// Those from which the content comes: where one is deleted, no other.
    private let contents: [MessageCopy]
    private let hasFile: (SessionAttachment) -> Bool
    private(set) var conflicts: [MergeConflict] = []

    /// - Parameters:
    ///   - copies: at least one.
    ///   - hasFile: looks whether the file of an attachment of the merged store is there.
    init(_ copies: [MessageCopy], hasFile: @escaping (SessionAttachment) -> Bool) {
        self.copies = copies
        self.hasFile = hasFile
        let deleted = copies.filter { $0.message.content == .deleted }
        contents = deleted.isEmpty ? copies : deleted
    }

    /// - Parameters:
    ///   - number: its place among those of the same time.
    ///   - conversation: the ID of the merged one.
    mutating func message(number: Int64, in conversation: String) -> SessionMessage {
        let first = copies[0].message
        tellDeletion()
        let content = content()
        return SessionMessage(
            id: String(number), row: number, conversation: conversation, author: author(),
            isSent: copies.contains { $0.message.isSent }, content: content, body: text(content),
            sentAt: sentAt(), receivedAt: copies.compactMap(\.message.receivedAt).min(),
            serverTime: copies.compactMap(\.message.serverTime).min(),
            identity: copies.compactMap(\.message.identity).min { $0.text < $1.text },
            isUnread: isUnread(), delivery: delivery(), expiry: expiry(), quote: quote(),
            reactions: reactions(), linkPreviews: links(), attachments: attachments(),
            problems: problems(or: first.problems), document: document())
    }

    // MARK: Comparing

    /// Lists a field whose values differ.
    private mutating func compare(
        _ field: MergeConflict.Field, _ copies: [MessageCopy], taken: JSONNode,
        _ value: (MessageCopy) -> JSONNode?
    ) {
        let values = copies.compactMap { copy in
            value(copy).map { MergeConflict.Value(store: copy.store, value: $0) }
        }
        guard let first = values.first, values.contains(where: { $0.value != first.value }) else { return }
        conflicts.append(MergeConflict(field: field, values: values, taken: taken))
    }

    /// The text of what was deleted is not told.
    private mutating func tellDeletion() {
        compare(.deleted, copies, taken: .bool(true)) { .bool($0.message.content == .deleted) }
    }

    private static func text(_ text: String?) -> JSONNode { text.map { .text($0) } ?? .null }
    private static func number(_ number: Int64?) -> JSONNode { number.map { .number(String($0)) } ?? .null }
    private static func time(_ time: UTCTime?) -> JSONNode { number(time?.milliseconds) }

    /// The longest text; of those of the same length the last one.
    private static func longest(_ texts: [String?]) -> String? {
        texts.compactMap { $0 }.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    // MARK: Who, when and what

    private mutating func author() -> String? {
        let author = copies.compactMap(\.message.author).min()
        compare(.author, copies, taken: Self.text(author)) { copy in copy.message.author.map { .text($0) } }
        return author
    }

    private mutating func sentAt() -> UTCTime? {
        let time = copies.compactMap(\.message.sentAt).min()
        compare(.time, copies, taken: Self.time(time)) { copy in copy.message.sentAt.map { Self.time($0) } }
        return time
    }

    private mutating func content() -> SessionContent {
        let all = contents.map(\.message.content)
        let content = all.max { MergedContent($0) < MergedContent($1) } ?? .unreadable
        // Each program has words of its own for what happened.
        let isOneProgram = Set(contents.map { $0.message.document == nil }).count == 1
        compare(.kind, contents, taken: .text(MergedContent(content).text(isWhole: isOneProgram))) { copy in
            .text(MergedContent(copy.message.content).text(isWhole: isOneProgram))
        }
        return content
    }

    private mutating func text(_ content: SessionContent) -> String? {
        let body = Self.longest(contents.map(\.message.body))
        guard content.isMessage else { return body }
        compare(.text, contents, taken: Self.text(body)) { .text($0.message.body ?? "") }
        return body
    }

    private func problems(or first: [String]) -> [String] {
        let all = copies.map(\.message.problems)
        return all.allSatisfy { $0 == first } ? first : Set(all.joined()).sorted()
    }

    private func document() -> String? { Self.longest(contents.map(\.message.document)) }

    // MARK: States

    /// What was read on one device was read.
    private mutating func isUnread() -> Bool? {
        let states = copies.compactMap(\.message.isUnread)
        guard !states.isEmpty else { return nil }
        let isUnread = states.allSatisfy(\.self)
        compare(.read, copies, taken: .bool(!isUnread)) { copy in copy.message.isUnread.map { .bool(!$0) } }
        return isUnread
    }

    private mutating func delivery() -> SessionDelivery? {
        let all = copies.compactMap(\.message.delivery)
        guard let latest = all.max(by: { MergedDelivery($0) < MergedDelivery($1) }) else { return nil }
        // Words of one program say nothing of those of another one.
        let hasKnown = all.contains { MergedDelivery($0).isKnown }
        compare(.delivery, copies, taken: .text(MergedDelivery(latest).text)) { copy in
            copy.message.delivery.flatMap { delivery in
                let state = MergedDelivery(delivery)
                return state.isKnown || !hasKnown ? .text(state.text) : nil
            }
        }
        return latest
    }

    /// The timer that ends first; one that was not started ends after all that were.
    private mutating func expiry() -> SessionExpiry? {
        func order(_ expiry: SessionExpiry) -> (Int64, Int64, Int64) {
            (
                expiry.expiresAt?.milliseconds ?? .max, expiry.startedAt?.milliseconds ?? .max,
                expiry.lifetime ?? .max
            )
        }
        let expiry = copies.compactMap(\.message.expiry).min { order($0) < order($1) }
        compare(.expiry, copies, taken: Self.node(expiry)) { Self.node($0.message.expiry) }
        return expiry
    }

    private static func node(_ expiry: SessionExpiry?) -> JSONNode {
        guard let expiry else { return .null }
        return .object([
            .init("lifetime", number(expiry.lifetime)), .init("startedAt", time(expiry.startedAt)),
            .init("expiresAt", time(expiry.expiresAt)),
        ])
    }

    // MARK: Parts

    private mutating func quote() -> SessionQuote? {
        let all = contents.compactMap(\.message.quote)
        guard let first = all.first else { return nil }
        func order(_ quote: SessionQuote) -> (String, Int64) {
            (quote.author ?? "", quote.sentAt?.milliseconds ?? .min)
        }
        let chosen = all.max { order($0) < order($1) } ?? first
        let same = all.filter { order($0) == order(chosen) }
        let merged = SessionQuote(
            author: chosen.author, sentAt: chosen.sentAt, body: Self.longest(same.map(\.body)),
            attachments: same.map(\.attachments).max { MergedFiles.order($0) < MergedFiles.order($1) } ?? [])
        func node(_ quote: SessionQuote) -> JSONNode {
            .object([
                .init("author", Self.text(quote.author)), .init("sentAt", Self.time(quote.sentAt)),
            ])
        }
        compare(.quote, contents, taken: node(merged)) { $0.message.quote.map(node) ?? .null }
        return merged
    }

    private mutating func reactions() -> [SessionReaction] {
        let all = contents.map(\.message.reactions)
        let united = MergedReactions.united(all)
        compare(.reactions, contents, taken: MergedReactions.node(united)) {
            MergedReactions.node($0.message.reactions)
        }
        return united
    }

    private mutating func links() -> [SessionLinkPreview] {
        let united = MergedLinks.united(contents.map(\.message.linkPreviews))
        compare(.links, contents, taken: MergedLinks.node(united)) {
            MergedLinks.node($0.message.linkPreviews)
        }
        return united
    }

    private mutating func attachments() -> [SessionAttachment] {
        let lists = contents.map { (store: $0.store, list: $0.shown) }
        let count = lists.map(\.list.count).max() ?? 0
        compare(.attachments, contents, taken: .number(String(count))) { .number(String($0.shown.count)) }
        // Where their number differs, nobody knows which are the same: those of one copy are taken.
        let whole = lists.filter { $0.list.count == count }
        var merged: [SessionAttachment] = []
        for place in 0..<count {
            let files = MergedFiles(whole.map { $0.list[place] }, hasFile: hasFile)
            merged.append(files.merged)
            compare(.file, contents, taken: .text(MergedFiles.state(of: files.merged))) { copy in
                let shown = copy.shown
                return shown.count == count ? .text(MergedFiles.state(of: shown[place])) : nil
            }
        }
        return merged
    }
}
