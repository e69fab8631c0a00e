import ValiseDatabase
import ValiseEncoding

/// What other tables have of a message. Their queries are prepared once for all messages of a conversation.
struct PhoneMessageParts {
    /// The parts of one message.
    struct Found {
        var quote: SessionQuote?
        var reactions: [SessionReaction] = []
        var linkPreviews: [SessionLinkPreview] = []
        var attachments: [SessionAttachment] = []
    }

    private let attachments: PreparedQuery<PhoneAttachmentRow>?
    private let picture: PreparedQuery<PhoneAttachmentRow>?
    private let quotes: PreparedQuery<QuoteRow>?
    private let reactions: PreparedQuery<ReactionRow>?
    private let previews: PreparedQuery<PreviewRow>?

    /// More of one kind are not read of one message.
    private static let limit = 1000

    init(_ tables: SessionTables, _ connection: borrowing Connection) throws {
        let attachment = tables.source(PhoneAttachmentRow.table)
        let hasAttachments = tables.has(PhoneAttachmentRow.table)
        attachments =
            hasAttachments && tables.has("interactionId", in: "interactionAttachment")
            ? try RowQuery<PhoneAttachmentRow>(
                [attachment],
                "FROM interactionAttachment JOIN attachment ON attachment.id = interactionAttachment.attachmentId",
                file: tables.file
            ).prepared(
                connection,
                """
                WHERE interactionAttachment.interactionId = ?
                ORDER BY \(tables.first(of: ["albumIndex"], in: "interactionAttachment")), attachment.id LIMIT \(Self.limit)
                """) : nil
        picture =
            hasAttachments
            ? try RowQuery<PhoneAttachmentRow>([attachment], "FROM attachment", file: tables.file).prepared(
                connection, "WHERE attachment.id = ?") : nil
        quotes =
            tables.has("interactionId", in: "quote")
            ? try RowQuery<QuoteRow>([tables.source("quote")], "FROM quote", file: tables.file).prepared(
                connection, "WHERE quote.interactionId = ? LIMIT 1") : nil
        reactions =
            tables.has("interactionId", in: "reaction")
            ? try RowQuery<ReactionRow>([tables.source("reaction")], "FROM reaction", file: tables.file)
                .prepared(
                    connection,
                    """
                    WHERE reaction.interactionId = ?
                    ORDER BY \(tables.first(of: ["sortId"], in: "reaction")), reaction.rowid LIMIT \(Self.limit)
                    """) : nil
        previews =
            tables.has("url", in: "linkPreview") && tables.has("timestamp", in: "linkPreview")
            ? try RowQuery<PreviewRow>([tables.source("linkPreview")], "FROM linkPreview", file: tables.file)
                .prepared(
                    connection,
                    "WHERE linkPreview.url = ? ORDER BY abs(linkPreview.timestamp - ?) LIMIT 1") : nil
    }

    /// - Throws: `DatabaseError`, also for a row that is not as its schema says.
    func parts(of row: PhoneInteractionRow, _ problems: ReadingProblems) throws(DatabaseError) -> Found {
        var found = Found()
        let key = Value.integer(row.row)
        for part in try attachments?.all([key]) ?? [] {
            found.attachments.append(part.attachment(.attachment, problems))
        }
        if let quote = try quotes?.all([key]).first { found.quote = try self.quote(quote, problems) }
        found.reactions = Self.grouped(try reactions?.all([key]) ?? [], problems)
        if let address = row.linkAddress.value, !address.isEmpty {
            found.linkPreviews = [try preview(address, row, problems)]
        }
        return found
    }

    private func quote(
        _ row: QuoteRow, _ problems: ReadingProblems
    ) throws(DatabaseError) -> SessionQuote {
        SessionQuote(
            author: row.author.value,
            sentAt: UTCTime(stored: problems.integer(row.sentAt, "quote.timestampMs")),
            body: row.body.value.flatMap { $0.isEmpty ? nil : $0 },
            attachments: try attachment(row.attachment, .quoted, problems))
    }

    private func preview(
        _ address: String, _ message: PhoneInteractionRow, _ problems: ReadingProblems
    ) throws(DatabaseError) -> SessionLinkPreview {
        // The same address may have been looked up several times; its rows have seconds.
        let seconds = problems.integer(message.sentAt, "timestampMs").map { $0 / 1000 }
        let time = seconds.map { Value.integer($0) } ?? .null
        let row = try previews?.all([.text(address), time]).first
        return SessionLinkPreview(
            address: address, title: row?.title.value.flatMap { $0.isEmpty ? nil : $0 },
            picture: try row.map { row throws(DatabaseError) in
                try attachment(row.attachment, .linkPreview, problems)
            }?.first)
    }

    private func attachment(
        _ id: Stored<String>, _ role: SessionAttachment.Role, _ problems: ReadingProblems
    ) throws(DatabaseError) -> [SessionAttachment] {
        guard let id = id.value, let picture else { return [] }
        let rows = try picture.all([.text(id)])
        return rows.map { $0.attachment(role, problems) }
    }

    /// By emoji, in the order in which they came.
    private static func grouped(_ rows: [ReactionRow], _ problems: ReadingProblems) -> [SessionReaction] {
        var order: [String] = []
        var byEmoji: [String: (authors: [String], count: Int64)] = [:]
        for row in rows {
            if byEmoji[row.emoji] == nil { order.append(row.emoji) }
            var group = byEmoji[row.emoji] ?? ([], 0)
            if let author = row.author.value { group.authors.append(author) }
            // The app keeps how many there are in the row of the first author that a server names.
            let count = problems.integer(row.count, "reaction.count").map { max(0, $0) }
            let (sum, overflow) = group.count.addingReportingOverflow(count ?? 1)
            group.count = overflow ? .max : sum
            byEmoji[row.emoji] = group
        }
        return order.compactMap { emoji in
            byEmoji[emoji].map { SessionReaction(emoji: emoji, authors: $0.authors, count: $0.count) }
        }
    }
}

private struct QuoteRow: DecodableRow {
    let author: Stored<String>
    let sentAt: Stored<String>
    let body: Stored<String>
    let attachment: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        author = try row.stored("authorId")
        sentAt = try row.stored("timestampMs")
        body = try row.stored("body")
        attachment = try row.stored("attachmentId")
    }
}

private struct ReactionRow: DecodableRow {
    let emoji: String
    let author: Stored<String>
    let count: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        emoji = try row.required("emoji")
        author = try row.stored("authorId")
        count = try row.stored("count")
    }
}

private struct PreviewRow: DecodableRow {
    let title: Stored<String>
    let attachment: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        title = try row.stored("title")
        attachment = try row.stored("attachmentId")
    }
}
