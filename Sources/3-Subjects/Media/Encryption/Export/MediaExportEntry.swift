package import ValiseMediaRules

/// One line of the manifest: a file that was exported, and the message that it came with.
package struct MediaExportEntry: Sendable, Codable, Equatable {
    /// What a chat is.
    package enum ChatKind: String, Sendable, Codable {
        case contact, group, notes
    }

    package enum Direction: String, Sendable, Codable {
        case sent, received
    }

    /// The name of the chat; nil for a file of none.
    package var chat: String?
    /// Its row in the database.
    package var chatId: Int64?
    package var chatKind: ChatKind?
    /// The user profile; nil where the database has none of this row.
    package var user: String?
    /// Its row; nil where the file's row does not say, as the apps' rows all do.
    package var userId: Int64?
    /// The name of the contact or member who sent it; `me` for one's own.
    package var sender: String?
    package var direction: Direction?
    /// Of the message, in UTC, such as `2026-01-31T12:00:00Z`.
    package var time: String?
    package var messageId: Int64?
    package var fileId: Int64
    /// As the sender's file was called.
    package var name: String
    /// Where the copy is, relative to the folder of the export.
    package var path: String
    /// Of the content, in bytes.
    package var size: Int64
    /// Of the content, in hexadecimal digits.
    package var sha256: String
    package var kind: MediaKind
    /// The path of the first file with this content. A hard link to it has a ``path`` of its own; where the file
    /// system has no links, ``path`` is that one too.
    package var duplicateOf: String?

    /// Whether the content is stored under the name of another one only.
    var isStoredElsewhere: Bool { duplicateOf == path }

    /// Texts of the database may be of any length; the manifest keeps so many bytes.
    private static let longestText = 4096

    /// A text as the manifest has it.
    static func recorded(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= longestText else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// Every key in every line, so that tables can be made of them.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(chat, forKey: .chat)
        try container.encode(chatId, forKey: .chatId)
        try container.encode(chatKind, forKey: .chatKind)
        try container.encode(user, forKey: .user)
        try container.encode(userId, forKey: .userId)
        try container.encode(sender, forKey: .sender)
        try container.encode(direction, forKey: .direction)
        try container.encode(time, forKey: .time)
        try container.encode(messageId, forKey: .messageId)
        try container.encode(fileId, forKey: .fileId)
        try container.encode(name, forKey: .name)
        try container.encode(path, forKey: .path)
        try container.encode(size, forKey: .size)
        try container.encode(sha256, forKey: .sha256)
        try container.encode(kind, forKey: .kind)
        try container.encode(duplicateOf, forKey: .duplicateOf)
    }
}

extension MediaChat {
    var parts: (kind: MediaExportEntry.ChatKind, id: Int64) {
        switch self {
        case .contact(let id): (.contact, id)
        case .group(let id): (.group, id)
        case .notes(let id): (.notes, id)
        }
    }
}
