extension ItemRedactor {
    func conversation(_ conversation: Conversation) -> Conversation {
        let isNotes = conversation.kind == .notes
        return Conversation(
            key: hidesNames ? identifiers.redacted(conversation: conversation.key) : conversation.key,
            kind: conversation.kind, user: conversation.user,
            userName: name(conversation.userName),
            name: isNotes ? conversation.name : shownName(of: conversation),
            localName: isNotes ? conversation.localName : name(conversation.localName),
            fullName: hidesNames ? nil : conversation.fullName.map { texts.redacted($0) },
            about: hidesNames ? nil : conversation.about.map { texts.redacted($0) },
            picture: hides.contains(.media) ? nil : conversation.picture, hiding: conversation.hiding,
            isMarkedUnread: conversation.isMarkedUnread, items: conversation.items,
            unread: conversation.unread, first: conversation.first, last: conversation.last)
    }

    private static let separator = ": "

    /// That of a talk with administrators is made of the names of the group and the member, which may contain the separator
    /// themselves.
    private func shownName(of conversation: Conversation) -> String {
        guard hidesNames, conversation.kind == .support else { return name(conversation.name) }
        let text = conversation.name
        for range in text.ranges(of: Self.separator) {
            guard let group = names[String(text[..<range.lowerBound])] else { continue }
            let rest = String(text[range.upperBound...])
            let isName = rest != ConversationBuilder.administrators && rest != GroupMembers.unknown.name
            if !isName { return "\(group)\(Self.separator)\(rest)" }
            if let member = names[rest] { return "\(group)\(Self.separator)\(member)" }
        }
        return "\(name(conversation.localName))\(Self.separator)\(ChatRedaction.removed)"
    }
}
