import ValiseDatabase

/// A row of Desktop's messages. Numbers are read as text: some columns have no declared kind, and hold what JavaScript gave.
struct DesktopMessageRow: DecodableRow {
    static let table = "messages"
    /// Without these it is no such table.
    static let needed = ["id", "json", "conversationId"]

    let row: Int64
    let id: String
    let conversation: String?
    let document: String?
    let type: Stored<String>
    let source: Stored<String>
    let body: Stored<String>
    let sentAt: Stored<String>
    let receivedAt: Stored<String>
    let serverTimestamp: Stored<String>
    let serverID: Stored<String>
    let hash: Stored<String>
    let expiresAt: Stored<String>
    let lifetime: Stored<String>
    let expiryStart: Stored<String>
    let unread: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = try row.computed("messages.rowid", as: "rowid")
        id = try row.required("id")
        conversation = try row.optional("conversationId")
        document = try row.optional("json")
        type = try row.stored("type")
        source = try row.stored("source")
        body = try row.stored("body")
        sentAt = try row.stored("sent_at")
        receivedAt = try row.stored("received_at")
        serverTimestamp = try row.stored("serverTimestamp")
        serverID = try row.stored("serverId")
        hash = try row.stored("messageHash")
        expiresAt = try row.stored("expires_at")
        lifetime = try row.stored("expireTimer")
        expiryStart = try row.stored("expirationStartTimestamp")
        unread = try row.stored("unread")
    }
}

/// To which conversation a message belongs.
struct DesktopMessageOwner: DecodableRow {
    let conversation: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) { conversation = try row.stored("conversationId") }
}
