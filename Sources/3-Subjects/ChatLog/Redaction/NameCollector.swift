import ValiseChatSchema
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding

/// Names of one person or of one group.
package struct KnownNames: Sendable {
    /// What it is called; nil and empty ones do not count.
    let names: [String?]
    /// As its profile has it.
    let fullName: String?
    let isGroup: Bool

    /// - Parameters:
    ///   - names: what it is called; nil and empty ones do not count.
    ///   - fullName: as its profile has it.
    ///   - isGroup: whether they are those of a group.
    init(_ names: [String?], fullName: String?, isGroup: Bool = false) {
        self.names = names
        self.fullName = fullName
        self.isGroup = isGroup
    }
}

/// Learns all names of a source before anything of it is redacted: a text may name somebody who appears only later.
struct NameCollector {
    private(set) var pseudonyms = Pseudonyms()

    /// - Parameters:
    ///   - source: whose names are learned.
    ///   - conversations: all of them.
    ///   - progress: sees the items; throw to stop.
    /// - Throws: `DatabaseError`; whatever `progress` throws.
    init(_ source: any ConversationSource, _ conversations: [Conversation], progress: ProgressHandler) throws
    {
        for user in try source.users() { pseudonyms.add([user.name], of: .person) }
        for names in try source.knownNames() { add(names) }
        for conversation in conversations { add(conversation) }
        let total = conversations.reduce(0) { $0 + $1.items }
        var done: Int64 = 0
        for conversation in conversations {
            try source.forEachItem(
                of: conversation, newest: nil, damaged: { _ in },
                { item in
                    add(item)
                    done += 1
                    guard done % 1024 == 0 else { return }
                    try progress(
                        OperationProgress("collecting names", completed: done, total: total, unit: .items))
                })
        }
    }

    private mutating func add(_ names: KnownNames) {
        pseudonyms.add(names.names, fullNames: [names.fullName], of: names.isGroup ? .group : .person)
    }

    private mutating func add(_ conversation: Conversation) {
        pseudonyms.add([conversation.userName], of: .person)
        switch conversation.kind {
        case .contact:
            pseudonyms.add(
                [conversation.name, conversation.localName], fullNames: [conversation.fullName], of: .person)
        case .group, .business, .channel:
            pseudonyms.add(
                [conversation.name, conversation.localName], fullNames: [conversation.fullName], of: .group)
        // Its name is made of those of the group and the member.
        case .support:
            pseudonyms.add([conversation.localName], fullNames: [conversation.fullName], of: .group)
        case .notes: break
        }
    }

    // MARK: Items

    private mutating func add(_ participant: Participant?) {
        guard let participant, participant.hasName else { return }
        let isGroup = participant.key == Participant.groupKey
        pseudonyms.add([participant.name], of: isGroup ? .group : .person)
    }

    private mutating func add(_ item: ConversationItem) {
        add(item.author)
        add(item.quote?.author)
        add(item.deletion?.by)
        for reaction in item.reactions { for author in reaction.authors { add(author) } }
        for receipt in item.receipts { add(receipt.member) }
        for (text, member) in item.mentions {
            pseudonyms.add(member.hasName ? [member.name, text] : [text], of: .person)
        }
        if let forward = item.forward, let name = forward.name {
            pseudonyms.add([name], of: forward.kind == "group" ? .group : .person)
        }
        if item.message.map({ !$0.isOrdinary }) ?? true { add(profilesIn: item.content.fields, key: "") }
        if let content = item.quote?.content, !content.isOrdinary { add(profilesIn: content.fields, key: "") }
    }

    /// The new name of somebody is that of the same person as the old one.
    private mutating func add(profilesIn node: JSONNode, key: String) {
        switch node {
        case .object(let members):
            let changed = [node["fromProfile"], node["toProfile"]].compactMap { $0 }
            if !changed.isEmpty {
                pseudonyms.add(
                    changed.flatMap(ProfileNode.names), fullNames: changed.map(ProfileNode.fullName),
                    of: .person)
            }
            pseudonyms.add(
                ProfileNode.names(of: node), fullNames: [ProfileNode.fullName(of: node)],
                of: ProfileNode.bearer(of: node, key: key))
            for member in members { add(profilesIn: member.value, key: member.key) }
        case .array(let elements): for element in elements { add(profilesIn: element, key: key) }
        default: break
        }
    }
}

extension Participant {
    /// Whether it is called by a name, not by what says that nobody knows it.
    var hasName: Bool { !name.isEmpty && name != GroupMembers.unknown.name }
}

extension MessageContent {
    private static let ordinary: Set = ["text", "link", "image", "video", "voice", "file", "report"]

    /// Whether it names nobody but in its texts.
    var isOrdinary: Bool { Self.ordinary.contains(type) }
}
