import ValiseDatabase
import ValiseEncoding

/// The pages of conversations, each made when a browser asks for it, from the same templates and by the same code as those of an
/// export. For one thread.
package final class ServedPages {
    /// What an address leads to.
    package enum Answer: Sendable {
        case page([UInt8])
        /// What pages refer to.
        case file([UInt8], name: String)
        /// Another address, from the first page on.
        case elsewhere(String)
        case media(ServedMedia)
        case missing
    }

    /// What a server says of pages besides what they say themselves.
    package static var policy: String { PageValues.policyOfServed }

    private let source: any ConversationSource
    private let files: any ServedFiles
    private let options: HTMLOptions
    private let frames: [ConversationFrame]
    private let numbers: [String: Int]
    private var outlines = OutlineCache()

    /// - Parameters:
    ///   - source: where the conversations are. It does not change meanwhile.
    ///   - conversations: those that are shown, in their order.
    ///   - files: the files of items.
    ///   - options: how pages are made.
    package init(
        _ source: any ConversationSource, _ conversations: [Conversation], files: any ServedFiles,
        _ options: HTMLOptions
    ) {
        self.source = source
        self.files = files
        var options = options
        options.isServed = true
        options.hasSearch = true
        self.options = options
        let frames = conversations.map { [options] in ConversationFrame($0, options) }
        self.frames = frames
        numbers = Dictionary(frames.indices.map { (frames[$0].folder, $0) }) { first, _ in first }
    }

    /// - Parameters:
    ///   - address: what is asked for.
    ///   - checkpoint: called now and then; throw to stop.
    /// - Throws: `DatabaseError`; `FileError`; ``HTMLExportError``; whatever `checkpoint` throws.
    package func answer(to address: PageAddress, checkpoint: () throws -> Void) throws -> Answer {
        switch (address.path.first, address.path.count) {
        case (nil, _), ("index.html", 1): return .page(try index())
        case ("search.html", 1):
            let search = ServedSearch(source, frames, options)
            return .page(try search.page(address, checkpoint: checkpoint))
        case ("web", 2):
            let file = options.templates.files.first { $0.name == address.path[1] }
            return file.map { .file($0.bytes, name: $0.name) } ?? .missing
        case ("pages", 3):
            return try answer(
                address.path[2], in: "pages/\(address.path[1])", address, checkpoint: checkpoint)
        default: return try files.content(at: address.path).map { .media($0) } ?? .missing
        }
    }

    private func index() throws -> [UInt8] {
        var clock = PageClock(offset: options.offset)
        var index = ConversationIndex()
        for frame in frames {
            let conversation = frame.conversation
            let first = conversation.first.map { clock.moment($0).date }
            let last = conversation.last.map { clock.moment($0).date }
            let dates = first.flatMap { first in last.map { (first, $0) } }
            index.add(
                conversation,
                ConversationIndex.Pages(
                    folder: frame.folder, last: Self.latest,
                    list: conversation.items > options.split.fewestItems ? "all pages" : nil,
                    count: conversation.items, dates: dates))
        }
        return try index.page(options)
    }

    // MARK: Pages of a conversation

    /// Leads to the last page.
    private static let latest = "latest"
    /// Leads to the page with the item of a number.
    static let item = "item"

    private func answer(
        _ file: String, in folder: String, _ address: PageAddress, checkpoint: () throws -> Void
    ) throws -> Answer {
        guard let number = numbers[folder], file.hasSuffix(".html") else { return .missing }
        let (frame, name) = (frames[number], String(file.dropLast(".html".count)))
        let outline = try outlines.outline(of: folder) {
            try ConversationOutline(frame.conversation, of: source, options, checkpoint: checkpoint)
        }
        let pages = outline.division.pages
        switch name {
        case "index": return .page(try frame.list(outline.division))
        case Self.latest: return .elsewhere("/\(folder)/\(pages[pages.count - 1].name).html")
        case Self.item:
            guard let ordinal = address.query["number"].flatMap({ Int64($0) }), let key = address.query["id"]
            else { return .missing }
            let page = pages[outline.number(ofItem: ordinal)].name
            return .elsewhere("/\(folder)/\(page).html#m-\(WebLink.fragment(key))")
        default:
            guard let page = outline.number(of: name) else { return .missing }
            return .page(try self.page(page, outline, frame, checkpoint: checkpoint))
        }
    }

    /// Ends the reading of a page.
    private struct PageIsComplete: Error {}

    private func page(
        _ number: Int, _ outline: ConversationOutline, _ frame: ConversationFrame,
        checkpoint: () throws -> Void
    ) throws -> [UInt8] {
        var renderer = ItemRenderer(
            frame.conversation, root: "../../", clock: PageClock(offset: options.offset),
            hasUnread: outline.hasUnread(before: number), media: files.reference)
        let (start, count) = outline.range(of: number)
        var left = count
        do {
            guard left > 0 else { throw PageIsComplete() }
            try source.forEachItem(of: frame.conversation, from: start, damaged: { _ in }) { item in
                if left % 256 == 0 { try checkpoint() }
                if item.isShown { try Self.add(item, to: &renderer, outline.targets, number) }
                left -= 1
                if left == 0 { throw PageIsComplete() }
            }
        } catch is PageIsComplete {}
        let pages = outline.division.pages
        var content = renderer.takePage()
        if number == pages.count - 1, outline.damaged > 0 {
            let rows = Count.text(outline.damaged, "message")
            content += "<p class=\"e\">\(rows) of this conversation cannot be read</p>\n".utf8
        }
        return try frame.page(
            pages[number], previous: number > 0 ? pages[number - 1].name : nil,
            next: number + 1 < pages.count ? pages[number + 1].name : nil, content: content)
    }

    private static func add(
        _ item: ConversationItem, to renderer: inout ItemRenderer, _ targets: QuoteTargets, _ page: Int
    ) throws {
        let moment = item.time.value.map { renderer.clock.moment($0) }
        let month = item.quote?.sentAt?.value.map { renderer.clock.moment($0).month }
        let quoted = item.quote?.key.flatMap { targets.address(of: $0, month: month, from: page) }
        try renderer.item(item, at: moment, quoted: quoted)
    }
}
