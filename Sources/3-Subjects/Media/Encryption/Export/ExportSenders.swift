import ValiseDatabase
import ValiseEncoding

/// Tells who sent a file, and where.
struct ExportSenders {
    /// One's own files.
    static let ownName = "me"

    private let chats: MediaChats
    private let memberQuery: String?

    /// - Throws: ``DatabaseError``.
    init(_ connection: borrowing Connection) throws {
        chats = try MediaChats(connection)
        memberQuery = try Self.memberQuery(connection)
    }

    private static func memberQuery(_ connection: borrowing Connection) throws -> String? {
        func columns(_ table: String) throws -> Set<String> {
            Set(
                try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap(
                    \.first?.text))
        }
        let members = try columns("group_members")
        guard members.contains("local_display_name"), members.contains("contact_profile_id") else {
            return nil
        }
        let profile =
            members.contains("member_profile_id")
            ? "coalesce(m.member_profile_id, m.contact_profile_id)" : "m.contact_profile_id"
        let alias = try columns("contact_profiles").contains("local_alias") ? "p.local_alias" : "NULL"
        return """
            SELECT coalesce(nullif(\(alias), ''), p.display_name, m.local_display_name) FROM group_members m
                LEFT JOIN contact_profiles p ON p.contact_profile_id = \(profile) WHERE m.group_member_id = ?
            """
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
            user: MediaExportEntry.recorded(chats.users[file.userID] ?? ""), userId: file.userID,
            sender: sender.map(MediaExportEntry.recorded), direction: direction,
            time: file.time?.isoText, messageId: file.itemID, fileId: file.fileID,
            name: MediaExportEntry.recorded(file.fileName), path: "", size: size, sha256: "",
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
        guard let member = file.memberID, let memberQuery else { return chat }
        return try connection.value(memberQuery, [.integer(member)])?.text ?? "member \(member)"
    }
}
