import ValiseEncoding

/// Writes the pages of one conversation, one at a time.
struct ConversationWriter {
    private let conversation: Conversation
    private let options: HTMLOptions
    private let sink: any PageSink
    private var renderer: ItemRenderer
    private var targets = QuoteTargets()
    private var parts: [String: Int] = [:]
    /// All pages so far; the last one is not written yet.
    private(set) var pages: [PageEntry] = []
    /// How many items there were.
    private(set) var count = 0
    /// The local date of the first and of the last item.
    private(set) var dates: (first: String, last: String)?

    /// The folder of its pages.
    let folder: String

    init(
        _ conversation: Conversation, _ options: HTMLOptions, sink: any PageSink,
        media: @escaping ItemRenderer.Media
    ) {
        self.conversation = conversation
        self.options = options
        self.sink = sink
        folder = "pages/" + Self.fileName(conversation.key)
        renderer = ItemRenderer(
            conversation, root: "../../", clock: PageClock(offset: options.offset), media: media)
    }

    /// A key as the name of a folder: those of this program are names already, those of others may be anything.
    private static func fileName(_ key: String) -> String {
        let bytes = key.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16)
            }
        }
        return bytes.isEmpty ? "_" : bytes.joined()
    }

    /// Writes an item, and before it the page that it ends.
    /// - Returns: the page that it is on, and its minute.
    mutating func add(_ item: ConversationItem) throws -> (page: String, minutes: Int64) {
        let moment = item.time.value.map { renderer.clock.moment($0) }
        let month = moment?.month ?? pages.last?.lastMonth ?? "undated"
        if isPageFull(month) {
            let next = nextName(month)
            try finishPage(next: next)
            begin(next, month)
        } else if pages.isEmpty {
            begin(nextName(month), month)
        }
        targets.add(item.key)
        try renderer.item(item, at: moment, quoted: item.quote.flatMap { address(of: $0) })
        let last = pages.count - 1
        pages[last].items += 1
        pages[last].lastMonth = max(pages[last].lastMonth, month)
        count += 1
        if let moment { dates = (dates?.first ?? moment.date, moment.date) }
        return (pages[last].name, moment?.minutes ?? 0)
    }

    /// Writes the last page and the list of pages.
    mutating func finish() throws {
        if pages.isEmpty { begin("empty", "undated") }
        try finishPage(next: nil)
        try sink.write("\(folder)/index.html", list())
    }

    // MARK: Pages

    private func isPageFull(_ month: String) -> Bool {
        guard let page = pages.last else { return false }
        let isNewMonth = month > page.lastMonth && page.items >= options.split.fewestItems
        return isNewMonth || page.items >= options.split.mostItems
            || renderer.html.bytes.count >= options.split.mostBytes
    }

    private mutating func nextName(_ month: String) -> String {
        parts[month, default: 0] += 1
        let part = parts[month] ?? 1
        return part == 1 ? month : "\(month)-\(part)"
    }

    private mutating func begin(_ name: String, _ month: String) {
        pages.append(PageEntry(name: name, firstMonth: month, lastMonth: month))
        targets.addPage("\(name).html", month: month)
    }

    private mutating func address(of quote: ItemQuote) -> String? {
        guard let key = quote.key else { return nil }
        return targets.address(of: key, month: quote.sentAt?.value.map { renderer.clock.moment($0).month })
    }

    private mutating func finishPage(next: String?) throws {
        guard let page = pages.last else { return }
        var values = PageValues.common(options, root: "../../", title: "\(conversation.name), \(page.title)")
        values["name"] = PageValues.line(conversation.name)
        values["kind"] = PageValues.word(for: conversation.kind)
        values["period"] = page.title
        if pages.count > 1 { values["previous"] = "\(pages[pages.count - 2].name).html" }
        if let next { values["next"] = "\(next).html" }
        if page.items == 0 { values["empty"] = true }
        let bytes = try options.templates.page("page", values, content: renderer.takePage())
        try sink.write("\(folder)/\(page.name).html", bytes)
    }

    private func list() throws -> [UInt8] {
        var values = PageValues.common(options, root: "../../", title: conversation.name)
        values.merge(PageValues.of(conversation)) { $1 }
        values["count"] = Count.text(count, "message")
        values["pages"] = pages.reversed().map { page -> [String: Any] in
            ["address": "\(page.name).html", "title": page.title, "count": Count.text(page.items, "message")]
        }
        return try options.templates.page("conversation", values)
    }
}
