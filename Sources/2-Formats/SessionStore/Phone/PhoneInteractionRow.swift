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
    /// Which tables have parts of it: ``Part`` in bits.
    private let parts: Int64

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
        parts = try row.computed(Self.parts(row), as: "parts")
    }

    // MARK: Parts

    /// What other tables have of a message.
    enum Part: Int64, CaseIterable {
        case attachments = 1
        case quote = 2
        case reactions = 4

        var table: String {
            switch self {
            case .attachments: "interactionAttachment"
            case .quote: "quote"
            case .reactions: "reaction"
            }
        }
    }

    /// Whether it has such parts. Most messages have none, and to ask for them one by one takes longer than all else.
    func hasParts(_ part: Part) -> Bool { parts & part.rawValue != 0 }

    private static func parts(_ row: borrowing RowReader) -> String {
        let found = Part.allCases.filter { row.has("interactionId", in: $0.table) }.map {
            "EXISTS (SELECT 1 FROM \($0.table) WHERE interactionId = interaction.id) * \($0.rawValue)"
        }
        return found.isEmpty ? "0" : found.joined(separator: " + ")
    }

    /// The table, and those that are only asked whether they have parts.
    static func sources(_ tables: SessionTables) -> [RowSource] {
        [tables.source(table)] + Part.allCases.map { tables.source($0.table) }
    }
}

/// To which conversation a message belongs.
struct PhoneMessageOwner: DecodableRow {
    let conversation: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) { conversation = try row.stored("threadId") }
}
