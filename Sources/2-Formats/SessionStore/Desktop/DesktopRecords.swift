import ValiseDatabase
import ValiseEncoding

/// What Desktop notes of messages that were received.
struct DesktopRecords {
    let tables: SessionTables

    private static let table = "seenMessages"

    private struct Row: DecodableRow {
        let hash: String
        let conversation: Stored<String>
        let expiresAt: Stored<String>

        init(_ row: inout RowReader) throws(DatabaseError) {
            hash = try row.required("hash")
            conversation = try row.stored("conversationId")
            expiresAt = try row.stored("expiresAt")
        }
    }

    func forEachSeen(
        _ connection: borrowing Connection, _ damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        guard tables.has(Self.table) else { return }
        let query = try RowQuery<Row>(
            [tables.source(Self.table)], "FROM seenMessages", file: tables.file)
        try query.forEach(connection, damaged: damaged) { try take($0, damaged, body) }
    }

    private func take(
        _ row: Row, _ damaged: (SessionStoreError) throws -> Void, _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        let problems = ReadingProblems()
        let expiresAt = problems.integer(row.expiresAt, "expiresAt")
        if let problem = problems.list.first {
            return try damaged(
                SessionStoreError(
                    .damaged, "a record of a received message is damaged: \(problem)", tables.file))
        }
        try body(
            SessionSeenMessage(
                conversation: row.conversation.value, identifier: row.hash,
                expiresAt: UTCTime(stored: expiresAt), goesWithConversation: nil))
    }
}
