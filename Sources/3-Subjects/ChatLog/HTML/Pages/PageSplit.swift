/// How conversations are divided into pages.
package struct PageSplit: Sendable {
    /// A page has at most so many items.
    package var mostItems = 2000
    /// A new month begins a new page where there are so many items on the page before.
    package var fewestItems = 200
    /// A page does not grow beyond so many bytes by much.
    package var mostBytes = 4_000_000

    package init() {}
}

/// A page of a conversation, for lists of pages.
struct PageEntry {
    /// Without `.html`.
    let name: String
    let firstMonth: String
    var lastMonth: String
    var items = 0

    /// Such as `March 2025 – June 2025`.
    var title: String {
        firstMonth == "undated" ? firstMonth : DateWords.span(firstMonth, lastMonth)
    }
}

/// Divides the items of a conversation into pages, in their order.
struct PageDivision {
    private let split: PageSplit
    private var parts: [String: Int] = [:]
    /// All pages so far; the last one may grow.
    private(set) var pages: [PageEntry] = []
    /// How many items there were.
    private(set) var count = 0
    /// The local date of the first and of the last item.
    private(set) var dates: (first: String, last: String)?

    init(_ split: PageSplit) { self.split = split }

    /// The page that an item begins; nil where it belongs to the last one.
    /// - Parameters:
    ///   - moment: of the item; nil for what is no time.
    ///   - bytes: how large the last page is.
    mutating func next(at moment: PageClock.Moment?, bytes: Int) -> PageEntry? {
        let month = month(at: moment)
        if let page = pages.last {
            let isNewMonth = month > page.lastMonth && page.items >= split.fewestItems
            guard isNewMonth || page.items >= split.mostItems || bytes >= split.mostBytes else { return nil }
        }
        let part = parts[month, default: 0] + 1
        parts[month] = part
        return PageEntry(name: part == 1 ? month : "\(month)-\(part)", firstMonth: month, lastMonth: month)
    }

    /// What has no time is where the item before it is.
    private func month(at moment: PageClock.Moment?) -> String {
        moment?.month ?? pages.last?.lastMonth ?? "undated"
    }

    /// Begins a page.
    mutating func begin(_ page: PageEntry) { pages.append(page) }

    /// Adds an item to the last page.
    mutating func add(_ moment: PageClock.Moment?) {
        let last = pages.count - 1
        pages[last].items += 1
        pages[last].lastMonth = max(pages[last].lastMonth, month(at: moment))
        count += 1
        if let moment { dates = (dates?.first ?? moment.date, moment.date) }
    }

    /// A conversation has a page, whatever is in it.
    /// - Returns: the page of one without items; nil for all others.
    mutating func finish() -> PageEntry? {
        guard pages.isEmpty else { return nil }
        let page = PageEntry(name: "empty", firstMonth: "undated", lastMonth: "undated")
        pages.append(page)
        return page
    }
}
