import ValiseDatabase

/// A row of Desktop's conversations.
struct DesktopConversationRow: DecodableRow {
    static let table = "conversations"
    static let needed = ["id"]

    let id: String
    let type: Stored<String>
    let name: Stored<String>
    let nickname: Stored<String>
    let members: Stored<String>
    let admins: Stored<String>
    let isApproved: Stored<String>
    let didApproveMe: Stored<String>
    let priority: Stored<String>
    let markedAsUnread: Stored<String>
    let lifetime: Stored<String>
    let activeAt: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("id")
        type = try row.stored("type")
        name = try row.stored("displayNameInProfile")
        nickname = try row.stored("nickname")
        members = try row.stored("members")
        admins = try row.stored("groupAdmins")
        isApproved = try row.stored("isApproved")
        didApproveMe = try row.stored("didApproveMe")
        priority = try row.stored("priority")
        markedAsUnread = try row.stored("markedAsUnread")
        lifetime = try row.stored("expireTimer")
        activeAt = try row.stored("active_at")
    }
}
