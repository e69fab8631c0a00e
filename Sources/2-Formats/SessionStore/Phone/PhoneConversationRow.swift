import ValiseDatabase

/// A row of the phone's threads, with what other tables have of it.
struct PhoneConversationRow: DecodableRow {
    static let table = "thread"
    static let needed = ["id", "variant"]

    let id: String
    let variant: Int64
    let isVisible: Stored<String>
    let markedAsUnread: Stored<String>
    let createdAt: Stored<String>
    let profileName: Stored<String>
    let nickname: Stored<String>
    let isApproved: Stored<String>
    let groupName: Stored<String>
    let groupAbout: Stored<String>
    let communityName: Stored<String>
    let communityAbout: Stored<String>
    let expires: Stored<String>
    let lifetime: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("id")
        variant = try row.required("variant")
        isVisible = try row.stored("shouldBeVisible")
        markedAsUnread = try row.stored("markedAsUnread")
        createdAt = try row.stored("creationDateTimestamp")
        profileName = try row.stored("name", of: "profile")
        nickname = try row.stored("nickname", of: "profile")
        isApproved = try row.stored("isApproved", of: "contact")
        groupName = try row.stored("name", of: "closedGroup")
        groupAbout = try row.stored("groupDescription", of: "closedGroup")
        communityName = try row.stored("name", of: "openGroup")
        communityAbout = try row.stored("roomDescription", of: "openGroup")
        expires = try row.stored("isEnabled", of: Self.expiryTable)
        lifetime = try row.stored("durationSeconds", of: Self.expiryTable)
    }

    private static let expiryTable = "disappearingMessagesConfiguration"
    /// Tables that a thread may have a row in, and by which column.
    private static let joined = [
        ("profile", "id"), ("contact", "id"), ("closedGroup", "threadId"), ("openGroup", "threadId"),
        (expiryTable, "threadId"),
    ]

    /// - Throws: `DatabaseError`.
    static func query(_ tables: SessionTables) throws(DatabaseError) -> RowQuery<PhoneConversationRow> {
        var sources = [tables.source(table)]
        var tail = "FROM \(table)"
        for (name, key) in joined where tables.has(key, in: name) {
            sources.append(tables.source(name, outerKey: key))
            tail += " LEFT JOIN \(name) ON \(name).\(key) = \(table).id"
        }
        return try RowQuery(sources, tail, file: tables.file)
    }
}
