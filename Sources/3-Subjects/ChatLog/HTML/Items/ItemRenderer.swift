import ValiseChatSchema
import ValiseEncoding

/// Writes the items of one page.
///
/// Nothing of it comes from templates: an item takes some microseconds here, and ten times as long there (decision 0057).
struct ItemRenderer {
    /// Where the file of an item is; nil where the export has no files.
    typealias Media = (ItemFile) throws -> PageMedia?

    /// The page so far.
    var html = HTMLBuffer()
    var clock: PageClock
    let media: Media
    /// From the page to the folder of the export.
    let root: String
    private let conversation: Conversation
    private var author: (key: String, minutes: Int64)?
    private var day: String?
    private var days = 0
    private var hasUnread: Bool

    /// How long the items of one author are one group, in minutes.
    private static let groupMinutes: Int64 = 10

    /// - Parameter hasUnread: whether an earlier page has an unread item.
    init(
        _ conversation: Conversation, root: String, clock: PageClock, hasUnread: Bool = false,
        media: @escaping Media
    ) {
        self.conversation = conversation
        self.hasUnread = hasUnread
        self.root = root
        self.clock = clock
        self.media = media
    }

    /// Ends the page and begins the next one.
    mutating func takePage() -> [UInt8] {
        closeDay()
        let bytes = html.bytes
        html.removeAll()
        (author, day, days) = (nil, nil, 0)
        return bytes
    }

    /// Writes an item.
    /// - Parameters:
    ///   - moment: its time; nil for what is no time.
    ///   - quoted: the address of what it quotes.
    mutating func item(_ item: ConversationItem, at moment: PageClock.Moment?, quoted: String?) throws {
        openDay(moment)
        unreadMark(item)
        if item.kind == .event || item.kind == .call {
            event(item, moment)
            author = nil
            return
        }
        let continues = continuesGroup(item, moment)
        open(item, continues: continues)
        name(of: item, continues: continues)
        try content(of: item, quoted: quoted)
        reactions(item.reactions)
        footer(of: item, moment)
        html.markup("</article>\n")
        author = (item.author.key, moment?.minutes ?? 0)
    }

    // MARK: Around items

    private mutating func openDay(_ moment: PageClock.Moment?) {
        let date = moment?.date ?? day ?? "undated"
        guard date != day else { return }
        closeDay()
        days += 1
        day = date
        author = nil
        html.markup("<section class=\"day\" aria-labelledby=\"day-")
        html.number(days)
        html.markup("\"><h2 id=\"day-")
        html.number(days)
        html.markup("\">")
        html.text(DateWords.text(date))
        html.markup("</h2>\n")
    }

    private mutating func closeDay() {
        if day != nil { html.markup("</section>\n") }
    }

    /// A line before the first unread item.
    private mutating func unreadMark(_ item: ConversationItem) {
        guard item.isUnread, !hasUnread else { return }
        hasUnread = true
        html.markup("<p class=\"new\">unread from here</p>\n")
    }

    private func continuesGroup(_ item: ConversationItem, _ moment: PageClock.Moment?) -> Bool {
        guard let author, author.key == item.author.key, item.forward == nil, let moment else { return false }
        return moment.minutes - author.minutes <= Self.groupMinutes
    }

    private mutating func open(_ item: ConversationItem, continues: Bool) {
        html.markup("<article id=\"m-")
        html.line(item.key)
        html.markup(item.isSent ? "\" class=\"m out" : "\" class=\"m in")
        if continues { html.markup(" next") }
        if item.deletion != nil { html.markup(" gone") }
        if item.mentionsUser { html.markup(" me") }
        html.markup("\" tabindex=\"-1\">")
    }

    /// Names are seen in groups only, and once in a row of messages; a screen reader reads each.
    private mutating func name(of item: ConversationItem, continues: Bool) {
        let isHidden =
            continues || item.isSent || conversation.kind == .contact || conversation.kind == .notes
        html.markup(isHidden ? "<p class=\"vh\">" : "<p class=\"n \(AuthorColor.name(of: item.author))\">")
        html.name(item.author.isSelf ? "You" : item.author.name)
        html.markup("</p>")
    }

    // MARK: Events

    private static let withSubject: Set<ItemContent.Kind> = [
        .rcvGroupEvent, .sndGroupEvent, .rcvDirectEvent, .rcvGroupInvitation, .sndGroupInvitation,
    ]

    private mutating func event(_ item: ConversationItem, _ moment: PageClock.Moment?) {
        html.markup("<p class=\"e\" id=\"m-")
        html.line(item.key)
        html.markup("\" tabindex=\"-1\">")
        let isSubject = item.content.kind.map(Self.withSubject.contains) ?? false
        if isSubject || conversation.kind != .contact && !item.author.isSelf {
            html.name(item.author.isSelf ? "You" : item.author.name)
            html.markup(isSubject ? " " : ": ")
        }
        html.markup("<bdi>")
        html.text(EventText.sentence(of: item))
        html.markup("</bdi> ")
        time(item, moment)
        html.markup("</p>\n")
    }

    /// When it was.
    mutating func time(_ item: ConversationItem, _ moment: PageClock.Moment?) {
        guard let moment else {
            html.markup("<span class=\"time\">")
            html.line(item.time.text)
            html.markup("</span>")
            return
        }
        html.markup(
            "<time class=\"time\" datetime=\"\(moment.iso)\" title=\"\(moment.full)\">\(moment.time)</time>")
    }
}

/// Colors of authors, by who they are: the same in all exports.
enum AuthorColor {
    private static let names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"]

    /// The class of an author.
    static func name(of author: Participant) -> String {
        names[Int(KeyHash.of(author.key) % UInt64(names.count))]
    }
}

/// Numbers that stand for keys.
enum KeyHash {
    /// FNV-1a.
    static func of(_ key: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
