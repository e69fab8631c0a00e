import ValiseChatSchema
import ValiseEncoding

/// What happened in a group.
enum GroupEventText {
    /// Of an event that others caused. Nil for one that is not known.
    static func received(_ event: ItemEvent) -> String? {
        let member = name(event)
        switch event.name {
        case "memberAdded": return "invited \(member)"
        case "memberConnected": return "connected"
        case "memberAccepted": return "accepted \(member)"
        case "userAccepted": return "accepted you"
        case "memberLeft": return "left"
        case "memberDeleted": return "removed \(member)"
        case "userDeleted": return "removed you"
        case "groupDeleted": return "deleted the group"
        case "invitedViaGroupLink": return "invited through your group link"
        case "memberCreatedContact": return "asked for a direct connection"
        case "newMemberPendingReview": return "new member waits for review"
        case "msgBadSignature": return "message refused: wrong signature"
        default: return common(event, member)
        }
    }

    /// Of an event that the user caused. Nil for one that is not known.
    static func sent(_ event: ItemEvent) -> String? {
        let member = name(event)
        switch event.name {
        case "memberDeleted": return "removed \(member)"
        case "userLeft": return "left"
        case "memberAccepted": return "accepted \(member)"
        case "userPendingReview": return "waiting for review"
        case "userRole": return "changed your own role to \(event.fields["role"]?.textValue ?? "?")"
        default: return common(event, member)
        }
    }

    private static func common(_ event: ItemEvent, _ member: String) -> String? {
        let role = event.fields["role"]?.textValue ?? "?"
        switch event.name {
        case "memberRole": return "changed the role of \(member) to \(role)"
        case "userRole": return "changed your role to \(role)"
        case "memberBlocked":
            return event.fields["blocked"]?.boolValue == true ? "blocked \(member)" : "unblocked \(member)"
        case "groupUpdated": return "updated the group profile"
        case "memberProfileUpdated": return ProfileChangeText.of(event)
        default: return nil
        }
    }

    private static func name(_ event: ItemEvent) -> String {
        event.fields["profile"]?["displayName"]?.textValue ?? "a member"
    }
}

/// What somebody changed in a profile.
enum ProfileChangeText {
    static func of(_ event: ItemEvent) -> String? {
        guard let from = event.fields["fromProfile"], let to = event.fields["toProfile"] else { return nil }
        func name(_ profile: JSONNode) -> String {
            let full = profile["fullName"]?.textValue ?? ""
            let shown = profile["displayName"]?.textValue ?? "?"
            return full.isEmpty || full == shown ? shown : "\(shown) (\(full))"
        }
        switch ItemContent.profileChange(from: from, to: to) {
        case .name: return "changed the name from \(name(from)) to \(name(to))"
        case .pictureSet: return "set a new profile picture"
        case .pictureRemoved: return "removed the profile picture"
        case .addressSet: return "set a new contact address"
        case .addressRemoved: return "removed the contact address"
        case .updated: return "updated the profile"
        }
    }
}
