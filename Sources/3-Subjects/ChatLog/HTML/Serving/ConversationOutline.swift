import ValiseDatabase

/// How a conversation is divided into pages, and where each begins: numbers of some bytes for a page, so that any page can be made
/// alone.
struct ConversationOutline {
    /// The pages.
    let division: PageDivision
    /// Where each page begins.
    private let starts: [ItemPosition]
    /// Behind the last item that can be read.
    private let end: Int64
    /// Where the items are that others quote.
    let targets: QuoteTargets
    /// The first page with an unread item; nil for none.
    private let firstUnread: Int?

    /// How many rows cannot be read.
    let damaged: Int

    /// Reads the conversation once.
    /// - Parameter checkpoint: called now and then; throw to stop.
    init(
        _ conversation: Conversation, of source: any ConversationSource, _ options: HTMLOptions,
        checkpoint: () throws -> Void
    ) throws {
        var division = PageDivision(options.split)
        var clock = PageClock(offset: options.offset)
        var starts: [ItemPosition] = []
        var targets = QuoteTargets()
        var (end, bytes): (Int64, Int) = (0, 0)
        var firstUnread: Int?
        var damaged = 0
        func begin(_ page: PageEntry, _ place: ItemPosition) {
            starts.append(place)
            targets.addPage("\(page.name).html", month: page.firstMonth)
        }
        try source.forEachOutline(of: conversation, damaged: { _ in damaged += 1 }) { item in
            end = item.place.ordinal + 1
            if end % 1024 == 0 { try checkpoint() }
            guard item.isShown else { return }
            let moment = item.time.map { clock.moment($0) }
            if let next = division.next(at: moment, bytes: bytes) {
                division.begin(next)
                begin(next, item.place)
                bytes = 0
            }
            targets.add(item.key)
            division.add(moment)
            bytes += item.weight
            if item.isUnread, firstUnread == nil { firstUnread = starts.count - 1 }
        }
        if let page = division.finish() { begin(page, ItemPosition(ordinal: end)) }
        self.division = division
        self.starts = starts
        self.end = end
        self.targets = targets
        self.firstUnread = firstUnread
        self.damaged = damaged
    }

    /// The number of a page; nil where there is none of this name.
    func number(of name: String) -> Int? { division.pages.firstIndex { $0.name == name } }

    /// The number of the page with an item.
    func number(ofItem ordinal: Int64) -> Int {
        max(0, (starts.firstIndex { $0.ordinal > ordinal } ?? starts.count) - 1)
    }

    /// Where a page begins, and how many items are from there to the next page.
    func range(of page: Int) -> (start: ItemPosition, count: Int64) {
        let end = page + 1 < starts.count ? starts[page + 1].ordinal : end
        return (starts[page], end - starts[page].ordinal)
    }

    /// Whether a page before this one has an unread item.
    func hasUnread(before page: Int) -> Bool { firstUnread.map { $0 < page } ?? false }
}

/// The outlines that were used last. What they remember of quoted items is bounded, however many conversations are looked at.
struct OutlineCache {
    private var outlines: [(key: String, outline: ConversationOutline)] = []

    private static let mostOutlines = 64
    private static let mostItems = 600_000

    private var isFull: Bool {
        outlines.count > Self.mostOutlines
            || outlines.reduce(0) { $0 + $1.outline.division.count } > Self.mostItems
    }

    /// Gives an outline, which is made where it is not known.
    mutating func outline(
        of key: String, _ make: () throws -> ConversationOutline
    ) rethrows -> ConversationOutline {
        if let place = outlines.firstIndex(where: { $0.key == key }) {
            outlines.append(outlines.remove(at: place))
        } else {
            outlines.append((key, try make()))
        }
        while outlines.count > 1, isFull { outlines.removeFirst() }
        return outlines[outlines.count - 1].outline
    }
}
