import ValiseEncoding

/// The first page: all conversations.
struct ConversationIndex {
    private var users: [(name: String, entries: [[String: Any]])] = []
    private var total = 0

    /// Adds a conversation whose pages were written.
    mutating func add(_ conversation: Conversation, _ writer: ConversationWriter) {
        var values = PageValues.of(conversation)
        let last = writer.pages.last?.name ?? "index"
        values["address"] = "\(writer.folder)/\(last).html"
        values["list"] = "\(writer.folder)/index.html"
        values["pages"] = writer.pages.count > 1 ? [Count.text(writer.pages.count, "page")] : []
        values["count"] = Count.text(writer.count, "message")
        if let dates = writer.dates {
            values["dates"] = dates.first == dates.last ? dates.first : "\(dates.first) – \(dates.last)"
        }
        total += writer.count
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
