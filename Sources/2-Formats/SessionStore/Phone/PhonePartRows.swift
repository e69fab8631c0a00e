import ValiseDatabase

/// What a message of the phone answers.
struct PhoneQuoteRow: DecodableRow {
    let author: Stored<String>
    let sentAt: Stored<String>
    let body: Stored<String>
    let attachment: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        author = try row.stored("authorId")
        sentAt = try row.stored("timestampMs")
        body = try row.stored("body")
        attachment = try row.stored("attachmentId")
    }
}

/// A reaction to a message of the phone.
struct PhoneReactionRow: DecodableRow {
    let emoji: String
    let author: Stored<String>
    let count: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        emoji = try row.required("emoji")
        author = try row.stored("authorId")
        count = try row.stored("count")
    }
}

/// What was looked up of a link.
struct PhonePreviewRow: DecodableRow {
    /// When, in seconds since 1970.
    let time: Stored<String>
    let title: Stored<String>
    let attachment: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        time = try row.stored("timestamp")
        title = try row.stored("title")
        attachment = try row.stored("attachmentId")
    }
}
