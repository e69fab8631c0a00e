import ValiseDatabase
import ValiseEncoding

/// Makes a conversation of a row of the phone.
struct PhoneConversationReader {
    let row: PhoneConversationRow
    let ownID: String?
    /// Nil where it has no messages.
    let counts: MessageCounts.Count?
    let members: PhoneMembers

    /// - Throws: ``SessionStoreError`` with `damaged`, where something of the row is of another kind than it should.
    func conversation() throws -> SessionConversation {
        let problems = ReadingProblems()
        let expires = problems.flag(row.expires, "isEnabled")
        let lifetime = problems.integer(row.lifetime, "durationSeconds")
        let last =
            counts?.last
            ?? problems.decimal(row.createdAt, "creationDateTimestamp").flatMap(Self.milliseconds)
        let conversation = SessionConversation(
            id: row.id, kind: kind,
            name: filled(row.profileName) ?? filled(row.groupName) ?? filled(row.communityName),
            nickname: filled(row.nickname), about: filled(row.groupAbout) ?? filled(row.communityAbout),
            isHidden: problems.flag(row.isVisible, "shouldBeVisible").map { !$0 },
            isApproved: problems.flag(row.isApproved, "isApproved"),
            isMarkedUnread: problems.flag(row.markedAsUnread, "markedAsUnread"),
            lifetime: expires == true ? lifetime.flatMap { $0 > 0 ? $0 : nil } : nil,
            members: members.members, admins: members.admins, lastActive: UTCTime(stored: last),
            firstMessage: UTCTime(stored: counts?.first), hasMessages: counts != nil,
            messages: counts?.messages ?? 0, unread: counts?.unread)
        guard problems.list.isEmpty else {
            throw SessionStoreError(
                .damaged, "conversation is damaged: \(problems.list.joined(separator: ", "))", row.id)
        }
        return conversation
    }

    private static func milliseconds(_ seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1000).rounded())
    }

    private var kind: SessionConversation.Kind {
        switch row.variant {
        case 0 where row.id == ownID: .notes
        case 0: SessionIDs.isBlinded(row.id) ? .communityContact : .contact
        case 1: .legacyGroup
        case 2: .community
        case 3: .group
        default: .other
        }
    }

    private func filled(_ column: Stored<String>) -> String? {
        column.value.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Who is in a group.
struct PhoneMembers {
    private(set) var members: [String] = []
    private(set) var admins: [String] = []

    private static let table = "groupMember"
    private static let admin: Int64 = 3
    /// Communities may have more; they are not stored.
    private static let most = 10_000

    init(of group: String, _ connection: borrowing Connection, _ tables: SessionTables) throws {
        guard tables.has("groupId", in: Self.table), tables.has("profileId", in: Self.table) else { return }
        let role = tables.first(of: ["role"], in: Self.table)
        let rows = try connection.prepare(
            "SELECT profileId, \(role) FROM groupMember WHERE groupId = ? ORDER BY profileId LIMIT \(Self.most)"
        )
        try rows.bind([.text(group)])
        while try rows.step() {
            guard let id = String(rows.value(0)) else { continue }
            // An admin may have a second row as a member.
            if members.last != id { members.append(id) }
            if rows.value(1).integer == Self.admin, admins.last != id { admins.append(id) }
        }
    }
}
