import ValiseDatabase
import ValiseEncoding

/// Makes a conversation of a row of Desktop.
struct DesktopConversationReader {
    let row: DesktopConversationRow
    let ownID: String?
    /// Nil where it has no messages.
    let counts: MessageCounts.Count?

    /// In bytes, of a list of members.
    private static let longestList = 4 << 20

    /// - Throws: ``SessionStoreError`` with `damaged`, where something of the row is of another kind than it should.
    func conversation() throws -> SessionConversation {
        let problems = ReadingProblems()
        let priority = problems.integer(row.priority, "priority")
        let lifetime = problems.integer(row.lifetime, "expireTimer")
        let conversation = SessionConversation(
            id: row.id, kind: kind, name: filled(row.name), nickname: filled(row.nickname), about: nil,
            isHidden: priority.map { $0 < 0 },
            isApproved: problems.flag(row.isApproved, "isApproved"),
            isMarkedUnread: problems.flag(row.markedAsUnread, "markedAsUnread"),
            lifetime: lifetime.flatMap { $0 > 0 ? $0 : nil },
            members: list(row.members, "members", problems),
            admins: list(row.admins, "groupAdmins", problems),
            lastActive: UTCTime(stored: problems.integer(row.activeAt, "active_at")),
            firstMessage: UTCTime(stored: counts?.first), hasMessages: counts != nil,
            messages: counts?.messages ?? 0, unread: counts?.unread)
        try Self.refuse(problems, row.id)
        return conversation
    }

    /// - Parameter blocked: nil where nothing is known of it.
    func contact(blocked: Set<String>?) throws -> SessionContact {
        let problems = ReadingProblems()
        let contact = SessionContact(
            id: row.id, name: filled(row.name), nickname: filled(row.nickname),
            isApproved: problems.flag(row.isApproved, "isApproved"),
            didApprove: problems.flag(row.didApproveMe, "didApproveMe"),
            isBlocked: blocked.map { $0.contains(row.id) })
        try Self.refuse(problems, row.id)
        return contact
    }

    var isContact: Bool { row.type.value == "private" }

    private static func refuse(_ problems: ReadingProblems, _ id: String) throws {
        guard problems.list.isEmpty else {
            throw SessionStoreError(
                .damaged, "conversation is damaged: \(problems.list.joined(separator: ", "))", id)
        }
    }

    private var kind: SessionConversation.Kind {
        if isContact {
            if row.id == ownID { return .notes }
            return SessionIDs.isBlinded(row.id) ? .communityContact : .contact
        }
        if SessionIDs.isAddress(row.id) { return .community }
        if row.id.hasPrefix(SessionIDs.group) { return .group }
        return row.type.value?.hasPrefix("group") == true ? .legacyGroup : .other
    }

    private func filled(_ column: Stored<String>) -> String? {
        column.value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A JSON array of texts; in old versions they are separated by spaces.
    private func list(_ column: Stored<String>, _ name: String, _ problems: ReadingProblems) -> [String] {
        guard let text = column.value, !text.isEmpty else { return [] }
        guard text.utf8.count <= Self.longestList else {
            problems.add("\(name) is too long")
            return []
        }
        guard text.hasPrefix("[") else { return text.split(separator: " ").map(String.init) }
        guard let elements = JSONNode(parsing: text)?.arrayValue else {
            problems.add("\(name) is no list")
            return []
        }
        return elements.compactMap { element in
            if element.textValue == nil { problems.add("\(name) has an element that is no text") }
            return element.textValue
        }
    }
}
