import ValiseDatabase

/// What has to be the same in a database before and after.
struct DatabaseSummary: Equatable, Sendable {
    private var settings: [String: Value] = [:]
    private var schema: [[Value]] = []
    private var rows: [String: Value] = [:]

    /// Tables that matter and whose rows are counted quickly. The others are proved page by page, or come through
    /// SQLCipher's export.
    private static let counted = [
        "migrations", "users", "contacts", "contact_profiles", "groups", "group_members", "connections",
        "chat_items", "files", "messages", "rcv_queues", "snd_queues", "ratchets", "skipped_messages",
    ]

    /// The most rows that are counted of one where the pages were proved: enough to go through many of them, and as
    /// quick for a million rows.
    private static let mostCounted = 10_000

    init(_ connection: borrowing Connection, _ conversion: RekeyConversion) throws {
        var pragmas = ["user_version", "application_id", "auto_vacuum", "encoding"]
        // Page by page nothing moves at all.
        if conversion == .rekey {
            pragmas += ["schema_version", "page_count", "freelist_count", "page_size"]
        }
        for pragma in pragmas { settings[pragma] = try connection.value("PRAGMA \(pragma)") ?? .null }
        schema = try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")
        let tables = Set(schema.filter { $0[0] == .text("table") }.compactMap { $0[1].text })
        for table in Self.counted where tables.contains(table) {
            let counted =
                conversion == .rekey
                ? "(SELECT 1 FROM \"\(table)\" LIMIT \(Self.mostCounted))" : "\"\(table)\""
            rows[table] = try connection.value("SELECT count(*) FROM \(counted)") ?? .null
        }
    }
}
