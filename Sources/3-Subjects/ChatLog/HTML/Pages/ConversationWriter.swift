import ValiseEncoding

/// Writes the pages of one conversation, one at a time.
struct ConversationWriter {
    private let frame: ConversationFrame
    private let sink: any PageSink
    private var renderer: ItemRenderer
    private var targets = QuoteTargets()
    /// All pages so far; the last one is not written yet.
    private(set) var division: PageDivision

    /// The folder of its pages.
    var folder: String { frame.folder }

    init(
        _ conversation: Conversation, _ options: HTMLOptions, sink: any PageSink,
        media: @escaping ItemRenderer.Media
    ) {
        frame = ConversationFrame(conversation, options)
        division = PageDivision(options.split)
        self.sink = sink
        renderer = ItemRenderer(
            conversation, root: "../../", clock: PageClock(offset: options.offset), media: media)
    }

    /// Writes an item, and before it the page that it ends.
    /// - Returns: the page that it is on, and its minute.
    mutating func add(_ item: ConversationItem) throws -> (page: String, minutes: Int64) {
        let moment = item.time.value.map { renderer.clock.moment($0) }
        if let next = division.next(at: moment, bytes: renderer.html.bytes.count) {
            if !division.pages.isEmpty { try finishPage(next: next.name) }
            begin(next)
        }
        targets.add(item.key)
        try renderer.item(item, at: moment, quoted: item.quote.flatMap { address(of: $0) })
        division.add(moment)
        return (division.pages.last?.name ?? "", moment?.minutes ?? 0)
    }

    /// Writes the last page and the list of pages.
    mutating func finish() throws {
        if let page = division.finish() { targets.addPage("\(page.name).html", month: page.firstMonth) }
        try finishPage(next: nil)
        try sink.write("\(folder)/index.html", frame.list(division))
    }

    private mutating func begin(_ page: PageEntry) {
        division.begin(page)
        targets.addPage("\(page.name).html", month: page.firstMonth)
    }

    private mutating func address(of quote: ItemQuote) -> String? {
        guard let key = quote.key else { return nil }
        return targets.address(of: key, month: quote.sentAt?.value.map { renderer.clock.moment($0).month })
    }

    private mutating func finishPage(next: String?) throws {
        guard let page = division.pages.last else { return }
        let bytes = try frame.page(
            page, previous: division.pages.dropLast().last?.name, next: next, content: renderer.takePage())
        try sink.write("\(folder)/\(page.name).html", bytes)
    }
}
