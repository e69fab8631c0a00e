import ValiseDatabase

/// A row of the phone's interactions: a message, or something that happened.
struct PhoneInteractionRow: DecodableRow {
    static let table = "interaction"
    /// Without these it is no such table.
    static let needed = ["id", "threadId", "authorId", "variant", "timestampMs"]

    let row: Int64
    let author: String?
    let variant: Int64
    let sentAt: Stored<String>
    let hash: Stored<String>
    let body: Stored<String>
    let receivedAt: Stored<String>
    let wasRead: Stored<String>
    let lifetime: Stored<String>
    let expiryStart: Stored<String>
    let linkAddress: Stored<String>
    let communityMessage: Stored<String>
    let state: Stored<String>
    let readAt: Stored<String>
    let failure: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = try row.required("id")
        author = try row.optional("authorId")
        variant = try row.required("variant")
        sentAt = try row.stored("timestampMs")
        hash = try row.stored("serverHash")
        body = try row.stored("body")
        receivedAt = try row.stored("receivedAtTimestampMs")
        wasRead = try row.stored("wasRead")
        lifetime = try row.stored("expiresInSeconds")
        expiryStart = try row.stored("expiresStartedAtMs")
        linkAddress = try row.stored("linkPreviewUrl")
        communityMessage = try row.stored("openGroupServerMessageId")
        state = try row.stored("state")
        readAt = try row.stored("recipientReadTimestampMs")
        failure = try row.stored("mostRecentFailureText")
    }
}

/// To which conversation a message belongs.
struct PhoneMessageOwner: DecodableRow {
    let conversation: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) { conversation = try row.stored("threadId") }
}
