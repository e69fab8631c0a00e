import ValiseSessionStore

/// Who takes part in a conversation.
struct SessionAuthors {
    private let names: SessionNames
    private let conversation: SessionConversation
    /// Whether there is nobody but the user and one other.
    let isDirect: Bool

    init(_ conversation: SessionConversation, _ names: SessionNames) {
        self.conversation = conversation
        self.names = names
        isDirect = [.contact, .communityContact, .notes].contains(conversation.kind)
    }

    /// - Parameter id: nil where none is stored.
    func participant(_ id: String?) -> Participant {
        guard let id, !id.isEmpty else { return isDirect ? other : GroupMembers.unknown }
        if id == names.ownID { return names.own }
        if isDirect { return other }
        guard id != conversation.id else { return group }
        return Participant(key: id, name: names.title(of: id))
    }

    func author(of message: SessionMessage) -> Participant {
        message.isSent ? names.own : participant(message.author)
    }

    private var other: Participant {
        conversation.kind == .notes
            ? names.own : Participant(key: Participant.contactKey, name: conversation.title)
    }

    private var group: Participant { Participant(key: Participant.groupKey, name: conversation.title) }

    /// In bytes, of a Session ID.
    private static let length = 66
    private static let most = 1000

    /// Who is mentioned, by the ID behind an `@`, which is what texts have.
    func mentions(in text: String) -> [String: Participant] {
        var mentions: [String: Participant] = [:]
        guard text.utf8.contains(UInt8(ascii: "@")) else { return mentions }
        for part in text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            .dropFirst()
        {
            let id = part.prefix(Self.length)
            guard id.count == Self.length, mentions.count < Self.most,
                id.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
                case let name = String(decoding: id, as: UTF8.self)
            else { continue }
            mentions[name] =
                name == names.ownID ? names.own : Participant(key: name, name: names.title(of: name))
        }
        return mentions
    }

    /// A text as people read it: with names in the place of the IDs behind an `@`, as the model's own program writes mentions, and
    /// who they are by these names. Whoever has no name, or the name of another one who is mentioned, stays an ID.
    func named(_ text: String) -> (text: String, mentions: [String: Participant]) {
        let ids = mentions(in: text)
        guard !ids.isEmpty else { return (text, ids) }
        var mentions: [String: Participant] = [:]
        var parts = text.split(separator: "@", omittingEmptySubsequences: false)[...]
        var named = String(parts.removeFirst())
        for part in parts {
            let id = String(part.utf8.prefix(Self.length))
            let rest = Substring(part.utf8.dropFirst(Self.length))
            guard let id, let member = ids[id] else {
                named += "@\(part)"
                continue
            }
            let mention = SessionMention(member.name, before: rest)
            if let mention, mentions[member.name].map({ $0 == member }) ?? true {
                mentions[member.name] = member
                named += mention.text + rest
            } else {
                mentions[id] = member
                named += "@\(part)"
            }
        }
        return (named, mentions)
    }

    /// Names for a sentence.
    func list(_ ids: [String]) -> String {
        ids.map { $0 == names.ownID ? "you" : names.title(of: $0) }.joined(separator: ", ")
    }
}
