import ValiseDatabase
import ValiseEncoding

/// Makes a message of a row of Desktop: of its columns, and of its document where they have nothing.
struct DesktopMessageReader {
    let row: DesktopMessageRow
    let ownID: String?

    /// In bytes; the largest documents quote pictures, and have some hundred kilobytes.
    private static let largestDocument = 8 << 20

    /// - Parameter conversation: the one whose messages are read.
    func message(in conversation: String) -> SessionMessage {
        let problems = ReadingProblems()
        let fields = document(problems)
        return message(
            conversation, fields ?? DesktopFields(none: problems), isReadable: fields != nil, problems)
    }

    /// Nil where there is none, or none that can be read.
    private func document(_ problems: ReadingProblems) -> DesktopFields? {
        guard let text = row.document else {
            problems.add("the document is missing")
            return nil
        }
        guard text.utf8.count <= Self.largestDocument else {
            problems.add("the document is too large")
            return nil
        }
        guard let node = JSONNode(parsing: text), let fields = DesktopFields(node, problems) else {
            problems.add("the document is no JSON object")
            return nil
        }
        return fields
    }

    private func message(
        _ conversation: String, _ fields: DesktopFields, isReadable: Bool, _ problems: ReadingProblems
    ) -> SessionMessage {
        let type = problems.mirrored(row.type.value, fields.text("type"), "type")
        let body = problems.mirrored(row.body.value, fields.text("body"), "body")
        let source = problems.mirrored(row.source.value, fields.text("source"), "source")
        let isSent = type == "outgoing"
        let parts = DesktopMessageParts(fields)
        return SessionMessage(
            id: row.id, row: row.row, conversation: conversation,
            author: source ?? (isSent ? ownID : nil), isSent: isSent,
            content: isReadable ? parts.content(type: type) : .unreadable,
            body: body.flatMap { $0.isEmpty ? nil : $0 },
            sentAt: time(row.sentAt, fields, "sent_at", problems),
            receivedAt: time(row.receivedAt, fields, "received_at", problems),
            serverTime: time(row.serverTimestamp, fields, "serverTimestamp", problems),
            identity: identity(fields, problems), isUnread: unread(fields, problems),
            delivery: isSent ? delivery(fields) : nil, expiry: expiry(fields, problems), quote: parts.quote,
            reactions: parts.reactions, linkPreviews: parts.linkPreviews, attachments: parts.attachments,
            problems: problems.list, document: row.document)
    }

    private func time(
        _ column: Stored<String>, _ fields: DesktopFields, _ name: String, _ problems: ReadingProblems
    ) -> UTCTime? {
        UTCTime(
            stored: problems.mirrored(problems.integer(column, name), fields.integer(name), name))
    }

    private func unread(_ fields: DesktopFields, _ problems: ReadingProblems) -> Bool? {
        problems.mirrored(problems.flag(row.unread, "unread"), fields.flag("unread"), "unread")
    }

    private func identity(_ fields: DesktopFields, _ problems: ReadingProblems) -> SessionIdentity? {
        let number = problems.mirrored(
            problems.integer(row.serverID, "serverId"), fields.integer("serverId"), "serverId")
        let hash = problems.mirrored(row.hash.value, fields.text("messageHash"), "messageHash")
        if let hash, !hash.isEmpty { return .serverHash(hash) }
        return number.map { .communityMessage($0) }
    }

    private func expiry(_ fields: DesktopFields, _ problems: ReadingProblems) -> SessionExpiry? {
        SessionExpiry(
            lifetime: problems.mirrored(
                problems.integer(row.lifetime, "expireTimer"), fields.integer("expireTimer"), "expireTimer"),
            startedAt: problems.mirrored(
                problems.integer(row.expiryStart, "expirationStartTimestamp"),
                fields.integer("expirationStartTimestamp"), "expirationStartTimestamp"),
            expiresAt: problems.mirrored(
                problems.integer(row.expiresAt, "expires_at"), fields.integer("expires_at"), "expires_at"))
    }

    private func delivery(_ fields: DesktopFields) -> SessionDelivery {
        if let errors = fields.filledText("errors") { return .failed(errors) }
        if !fields.texts("read_by").isEmpty { return .read }
        return fields.flag("sent") == true ? .sent : .sending
    }
}
