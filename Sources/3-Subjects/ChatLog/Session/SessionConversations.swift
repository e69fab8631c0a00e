import ValiseSessionStore

/// Makes conversations of those of a store.
struct SessionConversations {
    private let userName: String
    /// Those that several conversations have.
    private let sharedTitles: Set<String>

    init(_ found: [SessionConversation], userName: String) {
        self.userName = userName
        let counts = Dictionary(found.map { ($0.title, 1) }, uniquingKeysWith: +)
        sharedTitles = Set(counts.filter { $0.value > 1 }.keys)
    }

    func conversation(_ stored: SessionConversation) -> Conversation {
        let name = stored.kind == .notes ? Self.notes : stored.title
        return Conversation(
            key: SessionLogKey.text(of: stored.id), kind: Self.kind(of: stored), user: SessionNames.userRow,
            userName: userName, name: name, localName: localName(of: stored, name),
            fullName: stored.nickname == nil || stored.name == stored.nickname ? nil : stored.name,
            about: stored.about, picture: nil, hiding: Self.hiding(of: stored),
            isMarkedUnread: stored.isMarkedUnread ?? false, items: stored.messages,
            unread: stored.unread ?? 0,
            first: stored.firstMessage, last: stored.hasMessages ? stored.lastActive : nil)
    }

    private static let notes = "notes"

    private static func kind(of stored: SessionConversation) -> Conversation.Kind {
        switch stored.kind {
        case .contact, .communityContact: .contact
        case .notes: .notes
        // In what is not known anybody may write.
        case .group, .legacyGroup, .community, .other: .group
        }
    }

    private static func hiding(of stored: SessionConversation) -> Conversation.Hiding? {
        if stored.isHidden == true { return .conversationDeleted }
        if stored.isApproved == false { return .request }
        return !stored.hasMessages && stored.lastActive == nil ? .unused : nil
    }

    /// In characters, of an ID that tells apart those of the same name.
    private static let suffix = 8

    private func localName(of stored: SessionConversation, _ name: String) -> String {
        guard stored.kind != .notes, sharedTitles.contains(name) else { return name }
        return "\(name)_\(stored.id.suffix(Self.suffix))"
    }
}
