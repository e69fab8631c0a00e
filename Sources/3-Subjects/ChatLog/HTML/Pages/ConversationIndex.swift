import ValiseEncoding

/// The first page: all conversations.
struct ConversationIndex {
    private var users: [(name: String, entries: [[String: Any]])] = []
    private var total: Int64 = 0

    /// What is told of the pages of a conversation.
    struct Pages {
        /// Their folder.
        let folder: String
        /// The name of the last one, without `.html`.
        let last: String
        /// What leads to the list of them; nil where there is one page alone.
        let list: String?
        /// Of items.
        let count: Int64
        /// Local, of the first and of the last item.
        let dates: (first: String, last: String)?
    }

    /// Adds a conversation.
    mutating func add(_ conversation: Conversation, _ pages: Pages) {
        var values = PageValues.of(conversation)
        values["address"] = "\(pages.folder)/\(pages.last).html"
        values["list"] = "\(pages.folder)/index.html"
        values["pages"] = pages.list.map { [$0] } ?? []
        values["count"] = Count.text(pages.count, "message")
        if let dates = pages.dates {
            values["dates"] = dates.first == dates.last ? dates.first : "\(dates.first) – \(dates.last)"
        }
        total += pages.count
        if let place = users.firstIndex(where: { $0.name == conversation.userName }) {
            users[place].entries.append(values)
        } else {
            users.append((conversation.userName, [values]))
        }
    }

    /// The page.
    func page(_ options: HTMLOptions) throws -> [UInt8] {
        var values = PageValues.common(options, root: "", title: options.title)
        let conversations = users.reduce(0) { $0 + $1.entries.count }
        values["pageTitle"] = PageValues.line(options.title)
        values["count"] =
            "\(Count.text(conversations, "conversation")), \(Count.text(total, "message"))"
        values["profiles"] = users.map { user -> [String: Any] in
            ["name": PageValues.line(user.name), "conversations": user.entries]
        }
        return try options.templates.page("index", values)
    }
}

extension ConversationIndex.Pages {
    /// Those that were written.
    init(_ writer: ConversationWriter) {
        let division = writer.division
        self.init(
            folder: writer.folder, last: division.pages.last?.name ?? "index",
            list: division.pages.count > 1 ? Count.text(division.pages.count, "page") : nil,
            count: Int64(division.count), dates: division.dates)
    }
}
