import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// Tells who sent a file, and where.
struct ExportSenders {
    /// One's own files.
    static let ownName = "me"

    private let chats: MediaChats
    private let schema: ChatSchema

    /// - Throws: ``DatabaseError``.
    init(_ connection: borrowing Connection) throws {
        chats = try MediaChats(connection)
        schema = try ChatSchema(connection)
    }

    /// A line of the manifest with all that the database says; without path and SHA-256.
    /// - Parameter size: of the content, in bytes.
    /// - Throws: ``DatabaseError``.
    func entry(
        _ file: MediaReference, size: Int64, _ connection: borrowing Connection
    ) throws -> MediaExportEntry {
        let chat = file.chat?.parts
        let name = file.chat.map { chats[$0]?.shown ?? "\($0.parts.kind.rawValue) \($0.parts.id)" }
        let direction = Self.direction(file)
        let sender = try direction == .sent ? Self.ownName : sender(file, name, connection)
        return MediaExportEntry(
            chat: name.map(MediaExportEntry.recorded), chatId: chat?.id, chatKind: chat?.kind,
            user: file.userID.flatMap { chats.users[$0] }.map(MediaExportEntry.recorded),
            userId: file.userID,
            sender: sender.map(MediaExportEntry.recorded), direction: direction,
            time: file.time?.isoText, messageId: file.itemID, fileId: file.fileID,
            name: MediaExportEntry.recorded(file.recordedName), path: "", size: size, sha256: "",
            kind: file.kind, duplicateOf: nil)
    }

    private static func direction(_ file: MediaReference) -> MediaExportEntry.Direction? {
        if let isSent = file.isSent { return isSent ? .sent : .received }
        guard let status = file.status else { return nil }
        return status.hasPrefix("snd_") ? .sent : status.hasPrefix("rcv_") ? .received : nil
    }

    private func sender(
        _ file: MediaReference, _ chat: String?, _ connection: borrowing Connection
    ) throws -> String? {
        if case .notes = file.chat { return Self.ownName }
        guard let member = file.memberID, schema.namesMembers else { return chat }
        return try schema.memberName(member, connection)?.shown ?? "member \(member)"
    }
}
