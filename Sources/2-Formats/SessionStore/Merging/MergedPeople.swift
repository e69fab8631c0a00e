/// Contacts and conversations of several stores. What they call themselves is no conflict: names change, and no device tells when.
enum MergedPeople {
    /// - Parameter copies: at least one.
    static func contact(_ copies: [SessionContact]) -> SessionContact {
        SessionContact(
            id: copies[0].id, name: copies.compactMap(\.name).max(),
            nickname: copies.compactMap(\.nickname).max(), isApproved: any(copies.map(\.isApproved)),
            didApprove: any(copies.map(\.didApprove)), isBlocked: any(copies.map(\.isBlocked)))
    }

    /// - Parameters:
    ///   - copies: at least one.
    ///   - messages: how many there are of all.
    ///   - unread: likewise.
    static func conversation(
        _ copies: [SessionConversation], messages: Int64, unread: Int64
    ) -> SessionConversation {
        // Names are those of the device that used it last.
        let ordered = copies.sorted { first, second in
            let (one, other) = (
                first.lastActive?.milliseconds ?? .min, second.lastActive?.milliseconds ?? .min
            )
            return (one, first.title) > (other, second.title)
        }
        func latest<Value>(_ value: (SessionConversation) -> Value?) -> Value? {
            ordered.compactMap(value).first
        }
        let hidden = copies.map(\.isHidden)
        let ids = copies.map(\.id).sorted()
        return SessionConversation(
            id: ids.first(where: CommunityAddress.isShared) ?? ids[0],
            kind: latest { $0.kind == .other ? nil : $0.kind } ?? .other, name: latest(\.name),
            nickname: latest(\.nickname), about: latest(\.about),
            isHidden: hidden.contains(false) ? false : hidden.contains(true) ? true : nil,
            isApproved: any(copies.map(\.isApproved)), isMarkedUnread: any(copies.map(\.isMarkedUnread)),
            lifetime: latest(\.lifetime), members: Set(copies.flatMap(\.members)).sorted(),
            admins: Set(copies.flatMap(\.admins)).sorted(), lastActive: copies.compactMap(\.lastActive).max(),
            firstMessage: copies.compactMap(\.firstMessage).min(), hasMessages: messages > 0,
            messages: messages,
            unread: copies.contains { $0.unread != nil } ? unread : nil)
    }

    private static func any(_ values: [Bool?]) -> Bool? {
        values.contains(true) ? true : values.contains(false) ? false : nil
    }
}

extension SessionMessage {
    /// The same in the merged store.
    func merged(from store: Int, into conversation: String) -> SessionMessage {
        SessionMessage(
            id: id, row: row, conversation: conversation,
            author: author == self.conversation ? conversation : author, isSent: isSent, content: content,
            body: body, sentAt: sentAt, receivedAt: receivedAt, serverTime: serverTime, identity: identity,
            isUnread: isUnread, delivery: delivery, expiry: expiry,
            quote: quote.map { quote in
                SessionQuote(
                    author: quote.author, sentAt: quote.sentAt, body: quote.body,
                    attachments: quote.attachments.map { $0.merged(from: store) })
            }, reactions: reactions,
            linkPreviews: linkPreviews.map { preview in
                SessionLinkPreview(
                    address: preview.address, title: preview.title,
                    picture: preview.picture?.merged(from: store))
            }, attachments: attachments.map { $0.merged(from: store) }, problems: problems,
            document: document)
    }
}
