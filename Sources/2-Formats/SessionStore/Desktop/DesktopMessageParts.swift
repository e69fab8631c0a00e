import ValiseEncoding

/// What Desktop keeps of a message in its document alone.
struct DesktopMessageParts {
    private let fields: DesktopFields

    /// More reactions than this to one message are not read.
    private static let mostReactions = 1000

    /// Parts of the names by which ``content(type:)`` knows what is no text, or what disappears: a document that has none of these
    /// is that of a message that stays. Each begins with a letter that is rare in documents, which is looked for first.
    static let marks = [
        "Deleted", "Update", "_update", "Notification", "RequestResponse", "Invitation", "xpires_at",
        "xpirationStart",
    ]

    init(_ fields: DesktopFields) { self.fields = fields }

    /// - Parameter type: `incoming` or `outgoing` for messages; nil where none is stored.
    func content(type: String?) -> SessionContent {
        if fields.flag("isDeleted") == true { return .deleted }
        if fields.has("expirationTimerUpdate") {
            let lifetime = fields.object("expirationTimerUpdate")?.integer("expireTimer")
            return .lifetimeChanged(lifetime.flatMap { $0 > 0 ? $0 : nil })
        }
        for key in ["group_update", "groupUpdate"] where fields.has(key) {
            return .groupChanged(fields.node[key]?.jsonText ?? "")
        }
        if fields.has("callNotificationType") { return .call(fields.text("callNotificationType") ?? "") }
        if fields.has("dataExtractionNotification") { return .captured }
        if fields.has("messageRequestResponse") { return .requestAccepted }
        for key in ["communityInvitation", "groupInvitation"] {
            guard let invitation = fields.object(key) else { continue }
            return .communityInvitation(
                name: invitation.filledText("name"), address: invitation.filledText("url"))
        }
        if fields.has("interactionNotification") { return .event("interactionNotification") }
        switch type {
        case "incoming", "outgoing": return .message
        case let type?: return .event(type)
        case nil: return .event("")
        }
    }

    var attachments: [SessionAttachment] {
        fields.objects("attachments").flatMap { part in
            let isVoice = part.flag("isVoiceMessage") == true || part.integer("flags") == 1
            let whole = DesktopAttachments.attachment(part, isVoice ? .voice : .attachment)
            let smaller = ["thumbnail", "screenshot"].compactMap { part.object($0) }
                .filter { $0.has("path") }
            return [whole] + smaller.map { DesktopAttachments.attachment($0, .thumbnail) }
        }
    }

    var quote: SessionQuote? {
        guard let quote = fields.object("quote") else { return nil }
        let pictures = quote.objects("attachments").compactMap { $0.object("thumbnail") }
        return SessionQuote(
            author: quote.filledText("author"),
            sentAt: UTCTime(stored: quote.integer("timestamp") ?? quote.integer("id")),
            body: quote.filledText("text"),
            attachments: pictures.filter { $0.has("path") }.map {
                DesktopAttachments.attachment($0, .quoted)
            })
    }

    var linkPreviews: [SessionLinkPreview] {
        fields.objects("preview").compactMap { preview in
            guard let address = preview.filledText("url") else { return nil }
            let picture = preview.object("image").map { DesktopAttachments.attachment($0, .linkPreview) }
            return SessionLinkPreview(address: address, title: preview.filledText("title"), picture: picture)
        }
    }

    /// By emoji: who reacted, as a list, or as an object by IDs in old versions.
    var reactions: [SessionReaction] {
        guard let all = fields.object("reacts"), let members = all.node.objectValue else { return [] }
        if members.count > Self.mostReactions { fields.problems.add("reacts has too many members") }
        return members.prefix(Self.mostReactions).compactMap { member in
            guard let reaction = all.object(member.key) else { return nil }
            let authors = reaction.node["senders"]?.objectValue?.map(\.key) ?? reaction.texts("senders")
            let count = reaction.integer("count") ?? Int64(authors.count)
            guard count > 0 || !authors.isEmpty else { return nil }
            return SessionReaction(emoji: member.key, authors: authors, count: count)
        }
    }
}
