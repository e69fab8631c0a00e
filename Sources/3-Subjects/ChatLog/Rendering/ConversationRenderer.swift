import ValiseChatSchema
import ValiseEncoding

/// Makes one file of a conversation, item by item: memory does not grow with it.
package protocol ConversationRenderer {
    /// How the file's name ends, without the dot.
    static var fileExtension: String { get }

    /// What stands before the first item.
    mutating func beginning(of conversation: Conversation) -> String
    /// An item of the conversation.
    mutating func text(of item: ConversationItem) -> String
}

/// What all renderers of text say of an item.
package enum ItemWords {
    /// Marks behind an item, such as `edited`.
    package static func marks(of item: ConversationItem) -> [String] {
        var marks: [String] = []
        if item.isEdited { marks.append("edited") }
        if item.isLive { marks.append("live") }
        if let lifetime = item.lifetime { marks.append("disappears after \(TimeSpanText.words(lifetime))") }
        if let forward = item.forward { marks.append(self.forward(forward)) }
        if let deletion = item.deletion { marks.append(self.deletion(deletion)) }
        if item.gone != nil { marks.append("no longer in the account") }
        return marks
    }

    static func forward(_ forward: ItemForward) -> String {
        forward.name.map { "forwarded from \($0)" } ?? "forwarded"
    }

    static func deletion(_ deletion: ItemDeletion) -> String {
        switch deletion.kind {
        case .deleted: "deleted"
        case .moderated: deletion.by.map { "removed by \($0.name)" } ?? "removed by a moderator"
        case .blocked: "blocked"
        case .blockedByAdministrator: "blocked by administrators"
        }
    }

    /// Such as `👍 2, ❤ 1`.
    package static func reactions(to item: ConversationItem) -> String? {
        guard !item.reactions.isEmpty else { return nil }
        return item.reactions.map { "\($0.emoji) \($0.count)" }.joined(separator: ", ")
    }

    /// The file's name, and what is the matter with it where it is not there.
    package static func file(of item: ConversationItem) -> String? {
        guard let file = item.file else { return nil }
        let name = file.name.isEmpty ? "file" : file.name
        guard let media = file.exported, media.state != .present else { return name }
        return "\(name) (\(media.state == .leftOut ? "left out" : media.state.rawValue))"
    }

    /// What a message says beside its text: its type, where the text alone does not tell.
    package static func kind(of item: ConversationItem) -> String? {
        guard let message = item.message else { return nil }
        switch item.kind {
        case .voice: return "voice message\(duration(message.duration))"
        case .video: return "video\(duration(message.duration))"
        case .image: return "image"
        case .report: return "report: \(message.reason ?? "other")"
        case .other: return message.type
        default: return nil
        }
    }

    private static func duration(_ seconds: Int64?) -> String {
        seconds.map { $0 > 0 ? " \(TimeSpanText.clock($0))" : "" } ?? ""
    }

    /// The text of a message, or the sentence of an event.
    static func text(of item: ConversationItem) -> String {
        item.message?.text ?? EventText.sentence(of: item)
    }
}

extension ItemTime {
    /// To the second, in UTC, such as `2026-11-27 07:05:12`; what is no time, as it is stored.
    var secondsText: String {
        guard let value else { return text }
        return "\(value.dateText) \(value.timeText)"
    }
}
