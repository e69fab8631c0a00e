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
    private let quotes: PreparedQuery<PhoneQuoteRow>?
    private let reactions: PreparedQuery<PhoneReactionRow>?
    private let previews: (before: PreparedQuery<PhonePreviewRow>, after: PreparedQuery<PhonePreviewRow>)?

    /// More of one kind are not read of one message.
    private static let limit = 1000

    init(_ tables: SessionTables, _ connection: borrowing Connection) throws {
        let album = "interactionAttachment"
        attachments =
            tables.has("interactionId", in: album) && tables.has("attachmentId", in: album)
            ? try Self.query(
                "attachment", from: "FROM \(album) JOIN attachment ON attachment.id = \(album).attachmentId",
                "WHERE \(album).interactionId = ? ORDER BY \(tables.first(of: ["albumIndex"], in: album)), attachment.id",
                tables, connection) : nil
        picture = try Self.query("attachment", "WHERE attachment.id = ?", tables, connection)
        quotes =
            tables.has("interactionId", in: "quote")
            ? try Self.query("quote", "WHERE quote.interactionId = ?", tables, connection) : nil
        let order = tables.first(of: ["sortId"], in: "reaction")
        reactions =
            tables.has("interactionId", in: "reaction")
            ? try Self.query(
                "reaction", "WHERE reaction.interactionId = ? ORDER BY \(order), reaction.rowid", tables,
                connection) : nil
        previews = try Self.previews(tables, connection)
    }

    /// What was looked up of an address last before a time, and first behind it.
    private static func previews(
        _ tables: SessionTables, _ connection: borrowing Connection
    ) throws(DatabaseError) -> (
        before: PreparedQuery<PhonePreviewRow>, after: PreparedQuery<PhonePreviewRow>
    )? {
        let (table, time) = ("linkPreview", "linkPreview.timestamp")
        guard tables.has("url", in: table), tables.has("timestamp", in: table),
            let before: PreparedQuery<PhonePreviewRow> = try query(
                table, "WHERE linkPreview.url = ? AND \(time) <= ? ORDER BY \(time) DESC", limit: 1, tables,
                connection),
            let after: PreparedQuery<PhonePreviewRow> = try query(
                table, "WHERE linkPreview.url = ? AND \(time) > ? ORDER BY \(time)", limit: 1, tables,
                connection)
        else { return nil }
        return (before, after)
    }

    /// - Returns: nil where there is no such table.
    private static func query<Row: DecodableRow>(
        _ table: String, from tail: String? = nil, _ condition: String, limit: Int = limit,
        _ tables: SessionTables, _ connection: borrowing Connection
    ) throws(DatabaseError) -> PreparedQuery<Row>? {
        guard tables.has(table) else { return nil }
        let query = try RowQuery<Row>(
            [tables.source(table)], tail ?? "FROM \(table)", file: tables.file)
        return try query.prepared(connection, "\(condition) LIMIT \(limit)")
    }

    /// - Throws: `DatabaseError`, also for a row that is not as its schema says.
    func parts(of row: PhoneInteractionRow, _ problems: ReadingProblems) throws(DatabaseError) -> Found {
        var found = Found()
        let key = Value.integer(row.row)
        if row.hasParts(.attachments) {
            for part in try attachments?.all([key]) ?? [] {
                found.attachments.append(part.attachment(.attachment, problems))
            }
        }
        if row.hasParts(.quote), let quote = try quotes?.all([key]).first {
            found.quote = try self.quote(quote, problems)
        }
        if row.hasParts(.reactions) {
            found.reactions = Self.grouped(try reactions?.all([key]) ?? [], problems)
        }
        if let address = row.linkAddress.value, !address.isEmpty {
            found.linkPreviews = [try preview(address, row, problems)]
        }
        return found
    }

    private func quote(
        _ row: PhoneQuoteRow, _ problems: ReadingProblems
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
        let row = try lookedUp(address, at: seconds ?? 0)
        return SessionLinkPreview(
            address: address, title: row?.title.value.flatMap { $0.isEmpty ? nil : $0 },
            picture: try row.map { row throws(DatabaseError) in
                try attachment(row.attachment, .linkPreview, problems)
            }?.first)
    }

    /// The one that is nearest to a time, in seconds since 1970.
    private func lookedUp(_ address: String, at time: Int64) throws(DatabaseError) -> PhonePreviewRow? {
        guard let previews else { return nil }
        let values: [Value] = [.text(address), .integer(time)]
        let before = try previews.before.all(values).first
        let after = try previews.after.all(values).first
        guard let before, let after else { return before ?? after }
        func distance(_ row: PhonePreviewRow) -> Double {
            row.time.value.flatMap(Double.init).map { abs($0 - Double(time)) } ?? .infinity
        }
        return distance(after) < distance(before) ? after : before
    }

    private func attachment(
        _ id: Stored<String>, _ role: SessionAttachment.Role, _ problems: ReadingProblems
    ) throws(DatabaseError) -> [SessionAttachment] {
        guard let id = id.value, let picture else { return [] }
        let rows = try picture.all([.text(id)])
        return rows.map { $0.attachment(role, problems) }
    }

    /// By emoji, in the order in which they came.
    private static func grouped(_ rows: [PhoneReactionRow], _ problems: ReadingProblems) -> [SessionReaction]
    {
        if rows.count == limit { problems.add("there are more reactions than are read") }
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
