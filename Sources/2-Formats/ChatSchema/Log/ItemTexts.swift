package import ValiseDatabase

/// The texts of all items, in the order of their rows and without anything else of them: for a search, which looks at each.
///
/// One walk in this order comes by each page once. A row that breaks the schema is told apart by the kinds of its values, without
/// reading them: who looks for damage reads that row as a whole.
package struct ItemTexts: Sendable {
    private let columns: String
    private let damagedFiles: String?

    /// - Returns: nil where the schema has no such table.
    package init?(_ schema: ChatSchema) {
        let tables = schema.tables
        guard tables.has(.chatItems, with: "chat_item_id", "item_text"), let found = tables[.chatItems] else {
            return nil
        }
        let check = Self.check(
            "i", has: found.contains, numbers: Self.numbers, texts: Self.texts, blobs: Self.blobs,
            required: Self.required.union(tables.columnsWithoutNull(.chatItems)))
        columns = """
            SELECT i.chat_item_id, \(check) AND typeof(i.item_text) IN ('text', 'blob'), i.item_text
            FROM chat_items i
            """
        guard tables.has(.files, with: "chat_item_id", "file_id"), let found = tables[.files] else {
            damagedFiles = nil
            return
        }
        let files = Self.check(
            "f", has: found.contains, numbers: ["file_id", "file_size"],
            texts: ["file_name", "file_path", "ci_file_status", "file_type"],
            blobs: [], required: tables.columnsWithoutNull(.files))
        damagedFiles = """
            SELECT f.chat_item_id FROM files f WHERE f.chat_item_id IS NOT NULL AND NOT (\(files))
            """
    }

    // MARK: Kinds of values

    // Those that `ChatItemRow` reads, by what it takes. One that is listed here and not read there costs nothing: the row is
    // read, and found to be sound.
    private static let numbers = [
        "chat_item_id", "group_member_id", "item_sent", "item_deleted", "quoted_sent", "item_edited",
        "timed_ttl", "item_live", "item_deleted_by_group_member_id", "fwd_from_msg_dir",
        "fwd_from_contact_id",
        "fwd_from_group_id", "fwd_from_chat_item_id", "via_proxy", "user_mention", "show_group_as_sender",
    ]
    private static let texts = [
        "item_ts", "item_content", "created_at", "updated_at", "item_status", "quoted_sent_at",
        "quoted_content", "timed_delete_at", "item_deleted_ts", "fwd_from_tag", "fwd_from_chat_name",
        "msg_signed",
    ]
    private static let blobs = ["shared_msg_id", "quoted_shared_msg_id", "quoted_member_id"]
    private static let required: Set = [
        "chat_item_id", "item_sent", "item_deleted", "item_ts", "item_content", "created_at", "updated_at",
    ]

    /// An expression that is true for a row whose values are of the kinds that they should be. Any value but NULL can be read
    /// as text.
    private static func check(
        _ alias: String, has: (String) -> Bool, numbers: [String], texts: [String], blobs: [String],
        required: Set<String>
    ) -> String {
        let kinds = numbers.map { ($0, "'integer'") } + blobs.map { ($0, "'blob', 'text'") }
        let typed = kinds.filter { has($0.0) }.map { column, kinds in
            "typeof(\(alias).\(column)) IN (\(kinds)\(required.contains(column) ? "" : ", 'null'"))"
        }
        let given = texts.filter { has($0) && required.contains($0) }.map {
            "typeof(\(alias).\($0)) <> 'null'"
        }
        return (typed + given).joined(separator: " AND ")
    }

    // MARK: Walking

    /// The first and the last row; nil where there is none.
    /// - Throws: `DatabaseError`.
    package func rows(_ connection: borrowing Connection) throws(DatabaseError) -> ClosedRange<Int64>? {
        let found = try connection.rows(
            "SELECT (SELECT min(chat_item_id) FROM chat_items), (SELECT max(chat_item_id) FROM chat_items)")
        guard let first = found.first?[0].integer, let last = found.first?[1].integer, first <= last else {
            return nil
        }
        return first...last
    }

    /// Walks through a part of the rows.
    /// - Parameters:
    ///   - rows: the first and the last of them, which need not exist.
    ///   - connection: to the chat database.
    ///   - body: receives each row, and lends the bytes of its text; nil for a row that has to be read as a whole.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package func forEach(
        in rows: ClosedRange<Int64>, _ connection: borrowing Connection,
        _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        let statement = try connection.prepare(
            "\(columns) WHERE i.chat_item_id BETWEEN ? AND ? ORDER BY i.chat_item_id")
        try statement.bind([.integer(rows.lowerBound), .integer(rows.upperBound)])
        while try statement.step() {
            guard let row = statement.value(0).integer else { continue }
            guard statement.value(1) == 1 else {
                try body(row, nil)
                continue
            }
            try unsafe statement.withBytes(2) { try unsafe body(row, $0) }
        }
    }

    /// The rows of items with a file whose own row breaks the schema.
    /// - Throws: `DatabaseError`.
    package func rowsWithDamagedFiles(_ connection: borrowing Connection) throws(DatabaseError) -> [Int64] {
        guard let damagedFiles else { return [] }
        return try connection.rows(damagedFiles).compactMap { $0[0].integer }
    }
}
