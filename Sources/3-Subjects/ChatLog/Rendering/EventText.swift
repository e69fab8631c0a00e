import ValiseChatSchema
import ValiseEncoding

/// What an item that is no message says, as a sentence without its subject's name: `left`, `added kim`.
///
/// The meanings are the app's (Documentation/formats/chat-log.md), the words are ours.
package enum EventText {
    /// - Returns: the sentence; the stored text where the content is not understood, and an empty text for a message.
    package static func sentence(of item: ConversationItem) -> String {
        let content = item.content
        guard content.message == nil else { return "" }
        return known(content) ?? (item.text.isEmpty ? "unreadable item" : item.text)
    }

    /// Nil for what is not understood.
    private static func known(_ content: ItemContent) -> String? {
        let fields = content.fields
        guard let kind = content.kind else { return nil }
        switch kind {
        case .sndCall, .rcvCall: return call(fields, isSent: kind == .sndCall)
        case .sndDeleted, .rcvDeleted: return "deleted message"
        case .sndModerated, .rcvModerated: return "removed by a moderator"
        case .rcvBlocked: return "message of a blocked member"
        case .rcvIntegrityError: return content.event.map(integrity)
        case .rcvDecryptionError: return decryption(fields)
        case .rcvMsgError: return content.event.map(refused)
        case .rcvGroupInvitation, .sndGroupInvitation: return invitation(fields)
        case .rcvDirectEvent: return content.event.flatMap(direct)
        case .rcvGroupEvent: return content.event.flatMap { GroupEventText.received($0) }
        case .sndGroupEvent: return content.event.flatMap { GroupEventText.sent($0) }
        case .rcvConnEvent, .sndConnEvent: return content.event.flatMap(connection)
        case .rcvChatFeature, .sndChatFeature: return FeatureText.ofContact(fields)
        case .rcvChatPreference, .sndChatPreference: return FeatureText.preference(fields)
        case .rcvGroupFeature, .sndGroupFeature: return FeatureText.ofGroup(fields)
        case .rcvChatFeatureRejected:
            return "\(FeatureText.name(fields["feature"]?.textValue)): received, but not allowed here"
        case .rcvGroupFeatureRejected:
            return "\(FeatureText.name(fields["groupFeature"]?.textValue)): received, but not allowed here"
        case .sndDirectE2EEInfo, .rcvDirectE2EEInfo, .sndGroupE2EEInfo, .rcvGroupE2EEInfo:
            return encryption(fields)
        case .chatBanner: return "beginning of the conversation"
        case .sndMsgContent, .rcvMsgContent, .invalidJSON: return nil
        }
    }

    // MARK: Of a contact

    private static func call(_ fields: JSONNode, isSent: Bool) -> String {
        let call = isSent ? "outgoing call" : "incoming call"
        let duration = fields["duration"]?.integerValue ?? 0
        switch fields["status"]?.textValue {
        case "pending": return "\(call), calling"
        case "accepted", "negotiated": return "\(call), connecting"
        case "progress": return "\(call), in progress (\(TimeSpanText.clock(duration)))"
        case "ended": return "\(call), ended (\(TimeSpanText.clock(duration)))"
        case let other?: return "\(call), \(other)"
        case nil: return call
        }
    }

    private static func invitation(_ fields: JSONNode) -> String? {
        guard let invitation = fields["groupInvitation"], let role = fields["memberRole"]?.textValue else {
            return nil
        }
        let name =
            invitation["groupProfile"]?["displayName"]?.textValue ?? invitation["localDisplayName"]?.textValue
        let status = invitation["status"]?.textValue ?? "pending"
        return "invitation to group \(name ?? "?") as \(role), \(status)"
    }

    private static func direct(_ event: ItemEvent) -> String? {
        switch event.name {
        case "contactDeleted": return "deleted the contact"
        case "profileUpdated": return ProfileChangeText.of(event)
        case "groupInvLinkReceived":
            return
                "asked to connect through group \(event.fields["groupProfile"]?["displayName"]?.textValue ?? "?")"
        default: return nil
        }
    }

    // MARK: Errors

    private static func integrity(_ event: ItemEvent) -> String {
        switch event.name {
        case "msgSkipped":
            let from = event.fields["fromMsgId"]?.integerValue ?? 0
            let count = (event.fields["toMsgId"]?.integerValue ?? from).subtractingReportingOverflow(from)
            return count.overflow
                ? "messages were skipped" : Count.text(count.partialValue &+ 1, "skipped message")
        case "msgBadHash": return "message with a wrong hash"
        case "msgBadId": return "message with a wrong number"
        case "msgDuplicate": return "duplicate message"
        default: return "integrity error \(event.name)"
        }
    }

    private static func decryption(_ fields: JSONNode) -> String? {
        guard let error = fields["msgDecryptError"]?.textValue else { return nil }
        let count = fields["msgCount"]?.integerValue ?? 1
        let messages = Count.text(count, "message")
        switch error {
        case "ratchetHeader", "tooManySkipped": return "\(messages) could not be decrypted: permanent error"
        case "ratchetSync": return "\(messages) could not be decrypted: encryption was renegotiated"
        default: return "\(messages) could not be decrypted"
        }
    }

    private static func refused(_ event: ItemEvent) -> String {
        switch event.name {
        case "dropped":
            let attempts = event.fields["attempts"]?.integerValue ?? 0
            return "message dropped after \(attempts) attempts"
        case "parseError":
            return "message could not be read: \(event.fields["parseError"]?.textValue ?? "unknown error")"
        default: return "message could not be received: \(event.name)"
        }
    }

    // MARK: Connections

    private static func connection(_ event: ItemEvent) -> String? {
        let member = event.fields["member"]?["profile"]?["displayName"]?.textValue
        let whom = member.map { " with \($0)" } ?? ""
        switch event.name {
        case "switchQueue":
            let isDone = event.fields["phase"]?.textValue == "completed"
            return isDone ? "changed the receiving address\(whom)" : "changing the receiving address\(whom)"
        case "ratchetSync":
            switch event.fields["syncStatus"]?.textValue {
            case "ok": return "encryption\(whom) works"
            case "allowed": return "encryption\(whom) may be renegotiated"
            case "required": return "encryption\(whom) has to be renegotiated"
            case "started": return "renegotiating encryption\(whom)"
            case "agreed": return "agreed on new encryption\(whom)"
            case let other?: return "encryption\(whom): \(other)"
            case nil: return nil
            }
        case "verificationCodeReset": return "security code changed"
        case "pqEnabled":
            return event.fields["enabled"]?.boolValue == true
                ? "post-quantum encryption enabled" : "post-quantum encryption disabled"
        default: return nil
        }
    }

    private static func encryption(_ fields: JSONNode) -> String {
        let info = fields["e2eeInfo"]
        if info?["public"]?.boolValue == true { return "public channel: not end-to-end encrypted" }
        return info?["pqEnabled"]?.boolValue == true
            ? "end-to-end encrypted, with post-quantum protection" : "end-to-end encrypted"
    }
}

/// Durations as clocks show them.
package enum TimeSpanText {
    /// `m:ss`, and `h:mm:ss` from an hour on.
    package static func clock(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        guard hours > 0 else { return "\(minutes):\(tail)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    /// In the largest unit that divides it, such as `1 day`.
    package static func words(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute")]
        let unit = units.first { seconds >= $0.0 && seconds % $0.0 == 0 } ?? (1, "second")
        let count = seconds / unit.0
        return count == 1 ? "1 \(unit.1)" : "\(count) \(unit.1)s"
    }
}
