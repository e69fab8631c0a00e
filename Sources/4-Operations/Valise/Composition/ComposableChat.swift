import ValiseChatLog
import ValiseChatSchema
import ValiseComposition
import ValiseEncoding

/// A conversation of an account as messages are composed for it.
struct ComposableChat {
    let conversation: Conversation
    let policy: ComposePolicy
    /// Those who can be mentioned or were.
    let members: [ComposeMember]

    /// - Parameters:
    ///   - conversation: of the account.
    ///   - rights: what the account says of it.
    ///   - now: in seconds since 1970.
    init(_ conversation: Conversation, _ rights: ConversationRights, now: Double) {
        self.conversation = conversation
        members = rights.members.map(ComposeMember.init)
        var policy = Self.policy(rights)
        policy.now = now
        policy.compresses = rights.usesPostQuantum
        self.policy = policy
    }

    private static func policy(_ rights: ConversationRights) -> ComposePolicy {
        switch rights.scope {
        case .contact(let id):
            let chat = ComposeChat(.contact, id: id)
            var policy = ComposePolicy.contact(chat, enabled: enabled(rights))
            policy.canSend = rights.contactStatus.map { $0 == "active" } ?? true
            return policy
        case .group(let id):
            return group(ComposeChat(.group, id: id), rights)
        case .support(let id, let member):
            return group(ComposeChat(.group, id: id, scope: member.map { .member($0) } ?? .own), rights)
        case .notes(let id):
            return ComposePolicy(ComposeChat(.notes, id: id))
        }
    }

    private static func group(_ chat: ComposeChat, _ rights: ConversationRights) -> ComposePolicy {
        let role = rights.ownMember?.role.flatMap(ComposePolicy.MemberRole.init) ?? .member
        var features: [String: ComposePolicy.Feature] = [:]
        for preference in rights.theirs.objectValue ?? [] {
            guard let word = preference.value["enable"]?.textValue else { continue }
            let least = preference.value["role"]?.textValue.flatMap(ComposePolicy.MemberRole.init)
            features[preference.key] = ComposePolicy.Feature(isOn: word == "on", role: least)
        }
        var policy = ComposePolicy.group(chat, features: features, role: role)
        if ComposeMember.Standing(rights.ownMember?.status) == .gone { policy.canSend = false }
        return policy
    }

    /// What both allow: each side says `always`, `yes` or `no`, and what a side does not name it allows to those who allow it too.
    /// One who always allows a feature gives it to the other without having it, where the other does not allow it.
    private static func enabled(_ rights: ConversationRights) -> Set<String> {
        Set(
            ComposePolicy.contactFeatures.filter { feature in
                let own = rights.own[feature]?["allow"]?.textValue ?? "yes"
                let theirs = rights.theirs[feature]?["allow"]?.textValue ?? "yes"
                return theirs == "always" || theirs == "yes" && own != "no"
            })
    }

    // MARK: Items

    /// An item as a message can be about it; nil for what is no message.
    func item(_ item: ConversationItem) -> ComposeItem? {
        guard let message = item.message else { return nil }
        var mentions: [String: ComposeMember] = [:]
        for (name, participant) in item.mentions {
            mentions[name] = members.first { $0.name == participant.name }
        }
        return ComposeItem(
            id: item.row, content: message, isSent: item.isSent, time: Double(item.time.value?.seconds ?? 0),
            isLive: item.isLive, isForwarded: item.forward != nil, isDeleted: item.deletion != nil,
            file: item.file.map { ComposedFile(path: $0.path ?? "", name: $0.name, size: $0.size) },
            mentions: mentions)
    }
}

extension ComposeMember {
    fileprivate init(_ member: ConversationRights.Member) {
        let role = member.role.flatMap(ComposePolicy.MemberRole.init)
        self.init(
            id: member.row, name: member.name, alias: member.alias, standing: Standing(member.status),
            isModerator: role.map { $0 >= .moderator } ?? false)
    }
}

extension ComposeMember.Standing {
    /// By the word of the database; who has none takes part.
    init(_ status: String?) {
        switch status {
        case "invited": self = .invited
        case "rejected", "removed", "left", "deleted": self = .gone
        default: self = .current
        }
    }
}
