import ValiseEncoding

/// A conversation as comma-separated values (RFC 4180), a row an item.
package struct CSVRenderer: ConversationRenderer {
    package static let fileExtension = "csv"

    private static let columns = [
        "id", "time", "author", "sent", "kind", "text", "quoted_author", "quoted_text", "reactions", "file",
        "file_state", "marks", "detail",
    ]

    package init() {}

    package mutating func beginning(of conversation: Conversation) -> String {
        Self.columns.joined(separator: ",") + "\r\n"
    }

    package mutating func text(of item: ConversationItem) -> String {
        let fields: [String?] = [
            item.key, item.time.jsonText, item.author.name, item.isSent ? "1" : "0", item.kind.rawValue,
            ItemWords.text(of: item), item.quote?.author?.name, item.quote?.text,
            ItemWords.reactions(to: item), item.file.map { $0.exported?.path ?? $0.name },
            item.file?.exported?.state.rawValue,
            ItemWords.marks(of: item).joined(separator: ", "), ItemWords.kind(of: item),
        ]
        return fields.map { $0.map(Self.field) ?? "" }.joined(separator: ",") + "\r\n"
    }

    /// As it is: who opens the file in a spreadsheet must not let it compute what texts of others say.
    private static func field(_ text: String) -> String { text.isEmpty ? "" : CSVField.text(text) }
}
