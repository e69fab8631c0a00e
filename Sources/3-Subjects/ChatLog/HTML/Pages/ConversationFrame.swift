import ValiseEncoding

/// What is around the items of a conversation: its pages without their content, and the list of them.
struct ConversationFrame {
    let conversation: Conversation
    let options: HTMLOptions
    /// The folder of its pages.
    let folder: String

    init(_ conversation: Conversation, _ options: HTMLOptions) {
        self.conversation = conversation
        self.options = options
        folder = "pages/" + Self.fileName(conversation.key)
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

    /// A page.
    /// - Parameters:
    ///   - previous: the name of the page before it.
    ///   - next: the name of the page behind it.
    func page(_ page: PageEntry, previous: String?, next: String?, content: [UInt8]) throws -> [UInt8] {
        var values = PageValues.common(options, root: "../../", title: "\(conversation.name), \(page.title)")
        values["name"] = PageValues.line(conversation.name)
        values["kind"] = PageValues.word(for: conversation.kind)
        values["period"] = page.title
        if let previous { values["previous"] = "\(previous).html" }
        if let next { values["next"] = "\(next).html" }
        if page.items == 0 { values["empty"] = true }
        return try options.templates.page("page", values, content: content)
    }

    /// The list of pages.
    func list(_ division: PageDivision) throws -> [UInt8] {
        var values = PageValues.common(options, root: "../../", title: conversation.name)
        values.merge(PageValues.of(conversation)) { $1 }
        values["count"] = Count.text(division.count, "message")
        values["pages"] = division.pages.reversed().map { page -> [String: Any] in
            ["address": "\(page.name).html", "title": page.title, "count": Count.text(page.items, "message")]
        }
        return try options.templates.page("conversation", values)
    }
}
