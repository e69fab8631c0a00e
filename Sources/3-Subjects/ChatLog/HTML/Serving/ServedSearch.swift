import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// The search of pages that are served: reads texts until there are enough, the newest of a conversation first. Nothing is indexed.
struct ServedSearch {
    private let source: any ConversationSource
    private let frames: [ConversationFrame]
    private let options: HTMLOptions

    /// How many messages a page of results has.
    private static let most = 30
    private static let checkInterval: Int64 = 1024

    init(_ source: any ConversationSource, _ frames: [ConversationFrame], _ options: HTMLOptions) {
        self.source = source
        self.frames = frames
        self.options = options
    }

    /// Where the next results are.
    private struct Next {
        let conversation: Int
        /// Before the item of this number; nil for all.
        let before: Int64?
    }

    /// A message that was found.
    private struct Hit {
        let item: ConversationItem
        let ordinal: Int64
    }

    /// The page of results. In its address `q` is what is searched for, `in` the key of a conversation, and `from` and `before`
    /// are where the results before this page ended.
    func page(_ address: PageAddress, checkpoint: () throws -> Void) throws -> [UInt8] {
        let text = address.query["q"] ?? ""
        let chosen = address.query["in"] ?? ""
        var values = PageValues.common(options, root: "", title: "Search")
        values["query"] = text
        values["places"] = frames.map { frame -> [String: Any] in
            [
                "placeKey": frame.conversation.key, "placeName": PageValues.line(frame.conversation.name),
                "isChosen": frame.conversation.key == chosen,
            ]
        }
        var results = ResultWriter(options)
        if let query = TextQuery(text) {
            let start = Next(
                conversation: frames.firstIndex { $0.conversation.key == address.query["from"] } ?? 0,
                before: address.query["before"].flatMap { Int64($0) })
            let next = try find(query, in: chosen, start, &results, checkpoint)
            let count = Count.text(results.count, "message")
            let found = next == nil ? count : "\(count), and more"
            values["status"] = results.count == 0 ? "nothing found" : found
            if let next { values["more"] = [Self.address(text, chosen, frames[next.conversation], next)] }
        } else if !text.isEmpty {
            values["status"] = "there is nothing to search for"
        }
        return try options.templates.page("results", values, content: results.html.bytes)
    }

    private static func address(
        _ text: String, _ chosen: String, _ frame: ConversationFrame, _ next: Next
    ) -> String {
        let fields = [
            ("q", text), ("in", chosen), ("from", frame.conversation.key),
            ("before", next.before.map { "\($0)" } ?? ""),
        ].filter { !$0.1.isEmpty }
        return "search.html?" + fields.map { "\($0.0)=\(WebLink.value($0.1))" }.joined(separator: "&")
    }

    /// - Returns: where there may be more; nil where there is none.
    private func find(
        _ query: TextQuery, in chosen: String, _ start: Next, _ results: inout ResultWriter,
        _ checkpoint: () throws -> Void
    ) throws -> Next? {
        let places = frames.indices.filter {
            $0 >= start.conversation && (chosen.isEmpty || frames[$0].conversation.key == chosen)
        }
        for place in places {
            let missing = Self.most - results.count
            guard missing > 0 else { return Next(conversation: place, before: nil) }
            let before = place == start.conversation ? start.before : nil
            // One more, to know whether there is one.
            let hits = try last(missing + 1, of: query, in: frames[place].conversation, before, checkpoint)
            for hit in hits.reversed().prefix(missing) {
                results.add(hit.item, hit.ordinal, in: frames[place], query)
            }
            if hits.count > missing { return Next(conversation: place, before: hits[1].ordinal) }
        }
        return nil
    }

    /// Ends the reading of a conversation.
    private struct SearchIsComplete: Error {}

    /// The last messages that match, the oldest first: no others are kept meanwhile.
    private func last(
        _ count: Int, of query: TextQuery, in conversation: Conversation, _ before: Int64?,
        _ checkpoint: () throws -> Void
    ) throws -> [Hit] {
        var hits: [Hit] = []
        do {
            try source.forEachMatch(in: conversation) { text, ordinal in
                if ordinal % Self.checkInterval == 0 { try checkpoint() }
                if let before, ordinal >= before { throw SearchIsComplete() }
                return query.matches(text)
            } damaged: { _ in
            } _: { item, ordinal in
                guard item.isShown else { return }
                if hits.count == count { hits.removeFirst() }
                hits.append(Hit(item: item, ordinal: ordinal))
            }
        } catch is SearchIsComplete {}
        return hits
    }
}

/// Writes messages that were found.
private struct ResultWriter {
    private(set) var html = HTMLBuffer()
    private(set) var count = 0
    private var clock: PageClock

    /// In bytes of UTF-8.
    private static let longest = 300
    private static let before = 60

    init(_ options: HTMLOptions) { clock = PageClock(offset: options.offset) }

    mutating func add(
        _ item: ConversationItem, _ ordinal: Int64, in frame: ConversationFrame, _ query: TextQuery
    ) {
        count += 1
        html.markup("<li><a href=\"\(frame.folder)/\(ServedPages.item).html?number=\(ordinal)&amp;id=")
        html.markup(WebLink.value(item.key))
        html.markup("\">")
        html.name(PageValues.line(frame.conversation.name))
        html.markup("</a><span class=\"info\"> · ")
        html.name(item.author.isSelf ? "You" : item.author.name)
        html.markup(" · ")
        html.line(item.time.value.map { clock.moment($0).full } ?? item.time.text)
        html.markup("</span>")
        if let deletion = item.deletion {
            html.markup("<details><summary>")
            html.line(ItemRenderer.words(for: deletion.kind, item))
            html.markup("</summary>")
            snippet(of: item.text, query)
            html.markup("</details>")
        } else {
            snippet(of: item.text, query)
        }
        html.markup("</li>\n")
    }

    /// The text around the first place, with all places marked.
    private mutating func snippet(of text: String, _ query: TextQuery) {
        let bytes = Array(text.utf8)
        let places = query.places(in: text)
        let first = places.first?.lowerBound ?? 0
        let start = Self.boundary(first > Self.longest / 2 ? first - Self.before : 0, in: bytes)
        let end = Self.boundary(min(bytes.count, start + Self.longest), in: bytes)
        html.markup("<span class=\"snippet\" dir=\"auto\">\(start > 0 ? "…" : "")")
        var written = start
        for place in places where place.lowerBound >= written && place.upperBound <= end {
            html.text(String(decoding: bytes[written..<place.lowerBound], as: UTF8.self))
            html.markup("<mark>")
            html.text(String(decoding: bytes[place], as: UTF8.self))
            html.markup("</mark>")
            written = place.upperBound
        }
        html.text(String(decoding: bytes[written..<end], as: UTF8.self))
        html.markup(end < bytes.count ? "…</span>" : "</span>")
    }

    /// The start of the character that this byte belongs to.
    private static func boundary(_ place: Int, in bytes: [UInt8]) -> Int {
        var place = place
        while place > 0, place < bytes.count, bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }
}
