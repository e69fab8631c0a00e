import ValiseDatabase
package import ValiseEncoding

/// What is seen of a message before it is read. The bytes are lent.
@unsafe package struct MessageGlance {
    package let row: Int64
    /// Whether all that is read of it are texts in its columns and its document: it is no event, does not disappear, and is of the
    /// schema's kinds. What else there may be is only known to who reads it.
    package let hasTextsOnly: Bool
    /// When it disappears, where a column says so; else nil, which says nothing.
    package let expiresAt: UTCTime?
    /// Whether it is larger than what is read of a row.
    package let isTooLarge: Bool
    /// The ID of its conversation; empty for none.
    package let conversation: UnsafeRawBufferPointer
    /// The column of its text.
    package let text: UnsafeRawBufferPointer
    /// For Desktop; else empty.
    package let document: UnsafeRawBufferPointer
}

/// The texts of all messages, in the order of their rows and without anything else of them: for a search, which looks at each.
///
/// One walk in this order comes by each page once, where conversations have their rows all over the file.
struct MessageGlances {
    private let table: String
    private let conversation: String
    private let selection: String
    /// What a document of more than texts has.
    private let marks: [[UInt8]]

    /// - Parameters:
    ///   - table: of messages, whose columns are known.
    ///   - conversation: the column of the conversation.
    ///   - body: the column of the text.
    ///   - document: of the document; nil for none.
    ///   - expiresAt: of the time at which it disappears; nil for none.
    ///   - textsOnly: what holds for messages that have texts only, as far as columns say, in SQL.
    ///   - marks: what a document of more than texts has.
    init(
        _ table: String, of conversation: String, body: String, document: String? = nil,
        expiresAt: String? = nil,
        textsOnly: [String], marks: [String] = [], in tables: SessionTables
    ) {
        (self.table, self.conversation) = (table, conversation)
        self.marks = marks.map { Array($0.utf8) }
        let sound = tables.columnsWithoutNull(of: table).map { "\(table).\($0.quoted) IS NOT NULL" }
        let columns = [
            "\(table).rowid", (textsOnly + sound).joined(separator: " AND "),
            "\(table).\(conversation)", tables.first(of: [body], in: table),
            document.map { tables.first(of: [$0], in: table) } ?? "NULL",
            // Of a row that cannot be read nothing is said.
            expiresAt.map { end in
                "CASE WHEN \((sound + ["1"]).joined(separator: " AND ")) THEN \(tables.first(of: [end], in: table)) END"
            } ?? "NULL",
        ]
        selection = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
    }

    /// The first and the last row; nil where there is none.
    /// - Throws: `DatabaseError`.
    func rows(_ connection: borrowing Connection) throws(DatabaseError) -> ClosedRange<Int64>? {
        let ends = try connection.rows(
            "SELECT (SELECT min(rowid) FROM \(table)), (SELECT max(rowid) FROM \(table))")
        guard let first = ends.first?[0].integer, let last = ends.first?[1].integer, first <= last else {
            return nil
        }
        return first...last
    }

    /// Walks through a part of the rows.
    /// - Parameters:
    ///   - rows: the first and the last of them, which need not exist.
    ///   - connection: to the database.
    ///   - body: receives each; throw to stop.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    func forEach(
        in rows: ClosedRange<Int64>, _ connection: borrowing Connection,
        _ body: (MessageGlance) throws -> Void
    ) throws {
        var next: Int64? = rows.lowerBound
        while let start = next, start <= rows.upperBound {
            var last: Int64?
            do {
                try unsafe walk(start...rows.upperBound, connection, &last, body)
                return
            } catch let error as DatabaseError where error.isTooBig {
                // SQLite gives nothing of this row, and ends the walk there.
                let above = last.map { $0 &+ 1 } ?? start
                guard let large = try first(in: above...rows.upperBound, connection) else { return }
                try unsafe tell(large, connection, body)
                next = large == .max ? nil : large + 1
            }
        }
    }

    private func walk(
        _ rows: ClosedRange<Int64>, _ connection: borrowing Connection, _ last: inout Int64?,
        _ body: (MessageGlance) throws -> Void
    ) throws {
        let statement = try connection.prepare("\(selection) WHERE rowid BETWEEN ? AND ? ORDER BY rowid")
        try statement.bind([.integer(rows.lowerBound), .integer(rows.upperBound)])
        while try statement.step() {
            guard let row = statement.value(0).integer else { continue }
            let hasTextsOnly = statement.value(1).integer == 1
            let end = statement.value(5).integer
            try unsafe statement.withBytes(2) { conversation in
                try unsafe statement.withBytes(3) { text in
                    try unsafe statement.withBytes(4) { document in
                        let isMarked =
                            hasTextsOnly && marks.contains { unsafe ByteSearch.contains(document, $0) }
                        try unsafe body(
                            MessageGlance(
                                row: row, hasTextsOnly: hasTextsOnly && !isMarked,
                                expiresAt: end.flatMap { $0 > 0 ? UTCTime(milliseconds: $0) : nil },
                                isTooLarge: false,
                                conversation: conversation, text: text, document: document))
                    }
                }
            }
            last = row
        }
    }

    private func first(
        in rows: ClosedRange<Int64>, _ connection: borrowing Connection
    ) throws(DatabaseError) -> Int64? {
        let statement = try connection.prepare("SELECT min(rowid) FROM \(table) WHERE rowid BETWEEN ? AND ?")
        try statement.bind([.integer(rows.lowerBound), .integer(rows.upperBound)])
        return try statement.step() ? statement.value(0).integer : nil
    }

    /// Of a row that is too large for a look, its conversation is all that is seen.
    private func tell(
        _ row: Int64, _ connection: borrowing Connection, _ body: (MessageGlance) throws -> Void
    ) throws {
        let statement = try connection.prepare("SELECT \(conversation) FROM \(table) WHERE rowid = ?")
        try statement.bind([.integer(row)])
        guard try statement.step() else { return }
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        try unsafe statement.withBytes(0) {
            try unsafe body(
                MessageGlance(
                    row: row, hasTextsOnly: false, expiresAt: nil, isTooLarge: true, conversation: $0,
                    text: none,
                    document: none))
        }
    }
}
