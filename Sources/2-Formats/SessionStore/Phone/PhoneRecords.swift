import ValiseDatabase
import ValiseEncoding

/// What the phone notes of messages that were received: by the hash of the swarm, or by the number of a community's server; what
/// came before there were records is `LegacyRecord-…`. A record may outlive its message and its conversation.
struct PhoneRecords {
    let tables: SessionTables

    private static let table = "messageDeduplication"

    private struct Row: DecodableRow {
        let conversation: String
        let identifier: String
        let expiresAt: Stored<String>
        let goesWithConversation: Stored<String>

        init(_ row: inout RowReader) throws(DatabaseError) {
            conversation = try row.required("threadId")
            identifier = try row.required("uniqueIdentifier")
            expiresAt = try row.stored("expirationTimestampSeconds")
            goesWithConversation = try row.stored("shouldDeleteWhenDeletingThread")
        }
    }

    func forEachSeen(
        _ connection: borrowing Connection, _ damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        guard tables.has(Self.table) else { return }
        let query = try RowQuery<Row>(
            [tables.source(Self.table)], "FROM messageDeduplication", file: tables.file)
        try query.forEach(connection, damaged: damaged) { try take($0, damaged, body) }
    }

    /// A time that no clock ever shows is a problem.
    private static func time(_ seconds: Int64, _ problems: ReadingProblems) -> UTCTime? {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { problems.add("expirationTimestampSeconds is no time") }
        return overflow ? nil : UTCTime(milliseconds: milliseconds)
    }

    private func take(
        _ row: Row, _ damaged: (SessionStoreError) throws -> Void, _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        let problems = ReadingProblems()
        let expiresAt = problems.integer(row.expiresAt, "expirationTimestampSeconds")
        let record = SessionSeenMessage(
            conversation: row.conversation, identifier: row.identifier,
            expiresAt: expiresAt.flatMap { Self.time($0, problems) },
            goesWithConversation: problems.flag(row.goesWithConversation, "shouldDeleteWhenDeletingThread"))
        if let problem = problems.list.first {
            return try damaged(
                SessionStoreError(
                    .damaged, "a record of a received message is damaged: \(problem)", tables.file))
        }
        try body(record)
    }
}
