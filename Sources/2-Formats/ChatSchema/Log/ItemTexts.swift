package import ValiseDatabase

/// The texts of all items, in the order of their rows and without anything else of them: for a search, which looks at each.
///
/// One walk in this order comes by each page once. A row that breaks the schema is told apart by the kinds of its values, without
/// reading them: who looks for damage reads that row as a whole.
package struct ItemTexts: Sendable {
    private let selection: String
    private let checks: [Check]
    private let damagedFiles: String?

    /// - Returns: nil where the schema has no such table.
    /// - Throws: `DatabaseError`.
    package init?(_ schema: ChatSchema, _ connection: borrowing Connection) throws(DatabaseError) {
        let tables = schema.tables
        guard tables.has(.chatItems, with: "chat_item_id", "item_text"), let found = tables[.chatItems] else {
            return nil
        }
        // There SQLite itself sees to it, for each value that is written.
        let isStrict = try connection.isStrict(ChatTable.chatItems.rawValue)
        checks = Self.checks.compactMap { check in
            guard !isStrict, found.contains(check.column) else { return nil }
            var check = check
            if tables.columnsWithoutNull(.chatItems).contains(check.column) { check.isRequired = true }
            return check.isRequired || check.takes != .all ? check : nil
        }
        let columns = ["i.chat_item_id", "i.item_text"] + checks.map(\.expression)
        selection = "SELECT \(columns.joined(separator: ", ")) FROM chat_items i"
        damagedFiles = Self.damagedFiles(tables)
    }

    // MARK: Kinds of values

    /// What `ChatItemRow` takes in a column. What is listed here and not read there costs nothing: the row is read, and found to be
    /// sound.
    private struct Check: Sendable {
        enum Kinds { case numbers, bytes, all }

        let column: String
        let takes: Kinds
        var isRequired = false
        /// Whether SQLite is asked for the kind, so that it does not read a value of many pages.
        var isLong = false

        var expression: String {
            isLong ? "CASE typeof(i.\(column)) WHEN 'null' THEN NULL ELSE '' END" : "i.\(column)"
        }

        /// Any value but NULL can be read as text.
        func allows(_ kind: StorageClass) -> Bool {
            switch kind {
            case .null: !isRequired
            case .integer: takes != .bytes
            case .real: takes == .all
            case .text, .blob: takes != .numbers
            }
        }
    }

    private static let checks: [Check] =
        [
            Check(column: "item_sent", takes: .numbers, isRequired: true),
            Check(column: "item_deleted", takes: .numbers, isRequired: true),
            Check(column: "item_ts", takes: .all, isRequired: true),
            Check(column: "created_at", takes: .all, isRequired: true),
            Check(column: "updated_at", takes: .all, isRequired: true),
            Check(column: "item_content", takes: .all, isRequired: true, isLong: true),
            Check(column: "quoted_content", takes: .all, isLong: true),
        ]
        + [
            "group_member_id", "quoted_sent", "item_edited", "timed_ttl", "item_live",
            "item_deleted_by_group_member_id", "fwd_from_msg_dir", "fwd_from_contact_id", "fwd_from_group_id",
            "via_proxy", "user_mention", "show_group_as_sender",
        ].map { Check(column: $0, takes: .numbers) }
        + ["shared_msg_id", "quoted_shared_msg_id", "quoted_member_id"].map {
            Check(column: $0, takes: .bytes)
        }
        + [
            "item_status", "quoted_sent_at", "timed_delete_at", "item_deleted_ts", "fwd_from_tag",
            "fwd_from_chat_name", "msg_signed",
        ].map { Check(column: $0, takes: .all) }

    private static func damagedFiles(_ tables: RecognizedTables<ChatTable>) -> String? {
        guard tables.has(.files, with: "chat_item_id", "file_id") else { return nil }
        let forbidden = tables.columnsWithoutNull(.files)
        let texts = ["file_name", "file_path", "ci_file_status", "file_type"]
        var defects = ["typeof(f.file_id) <> 'integer'"]
        if tables.has(.files, with: "file_size") {
            let kinds = forbidden.contains("file_size") ? "'integer'" : "'integer', 'null'"
            defects.append("typeof(f.file_size) NOT IN (\(kinds))")
        }
        defects += texts.filter(forbidden.contains).map { "f.\($0) IS NULL" }
        return """
            SELECT f.chat_item_id FROM files f
            WHERE f.chat_item_id IS NOT NULL AND (\(defects.joined(separator: " OR ")))
            """
    }

    private func isSound(_ statement: borrowing Statement) -> Bool {
        // Whether it is a text is asked of the value that is read.
        guard [.text, .blob].contains(statement.storageClass(1)) else { return false }
        for index in checks.indices where !checks[index].allows(statement.storageClass(2 + index)) {
            return false
        }
        return true
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
            "\(selection) WHERE i.chat_item_id BETWEEN ? AND ? ORDER BY i.chat_item_id")
        try statement.bind([.integer(rows.lowerBound), .integer(rows.upperBound)])
        while try statement.step() {
            guard let row = statement.value(0).integer else { continue }
            guard isSound(statement) else {
                try body(row, nil)
                continue
            }
            try unsafe statement.withBytes(1) { try unsafe body(row, $0) }
        }
    }

    /// The rows of items with a file whose own row breaks the schema.
    /// - Throws: `DatabaseError`.
    package func rowsWithDamagedFiles(_ connection: borrowing Connection) throws(DatabaseError) -> [Int64] {
        guard let damagedFiles else { return [] }
        return try connection.rows(damagedFiles).compactMap { $0[0].integer }
    }
}
