public import ValiseCryptoFiles
public import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseMediaRules

/// Reads the table `files` of a chat database, official or ours, of any age: columns that are not there count as
/// empty (SimpleX's data model, §7.10).
public struct MediaTable {
    private let files: Set<String>
    private let items: Set<String>

    /// - Returns: nil where there is no such table.
    /// - Throws: ``DatabaseError``.
    public init?(_ connection: borrowing Connection) throws {
        files = try Self.columns(of: "files", connection)
        items = try Self.columns(of: "chat_items", connection)
        guard files.contains("file_path") else { return nil }
    }

    private static func columns(
        of table: String, _ connection: borrowing Connection
    ) throws -> Set<String> {
        Set(
            try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap(
                \.first?.text))
    }

    /// Whether keys can be stored: databases from before file encryption have no place for them.
    public var storesKeys: Bool { files.contains("file_crypto_key") && files.contains("file_crypto_nonce") }

    // MARK: Rows

    /// Lends all rows that have a path, in the order of their ids.
    ///
    /// - Parameter ids: only rows of these ids; nil for all.
    /// - Throws: ``DatabaseError``; whatever `body` throws.
    public func forEach(
        _ connection: borrowing Connection, ids: ClosedRange<Int64>? = nil,
        _ body: (MediaReference) throws -> Void
    ) throws {
        // Without a range, so that rows of a damaged table are seen whose id is no number.
        let range = ids == nil ? "" : " AND f.file_id BETWEEN ? AND ?"
        let rows = try connection.prepare(query + range + " ORDER BY f.file_id")
        if let ids { try rows.bind([.integer(ids.lowerBound), .integer(ids.upperBound)]) }
        while try rows.step() {
            try body(Self.reference(rows))
        }
    }

    /// One row; nil where it is not there or has no path.
    /// - Throws: ``DatabaseError``.
    public func reference(
        _ fileID: Int64, _ connection: borrowing Connection
    ) throws -> MediaReference? {
        let rows = try connection.prepare(query + " AND f.file_id = ?")
        try rows.bind([.integer(fileID)])
        return try rows.step() ? Self.reference(rows) : nil
    }

    /// How many rows have a path.
    /// - Throws: ``DatabaseError``.
    public func count(_ connection: borrowing Connection) throws -> Int64 {
        try connection.value("SELECT count(*) FROM files WHERE file_path IS NOT NULL")?.integer ?? 0
    }

    private var query: String {
        let canJoin = items.contains("chat_item_id") && files.contains("chat_item_id")
        func file(_ name: String) -> String { files.contains(name) ? "f.\(name)" : "NULL" }
        func item(_ name: String) -> String { canJoin && items.contains(name) ? "i.\(name)" : "NULL" }
        let keys =
            storesKeys
            ? """
            CASE WHEN f.file_crypto_key IS NULL AND f.file_crypto_nonce IS NULL THEN 0
                WHEN length(CAST(f.file_crypto_key AS BLOB)) = 32
                    AND length(CAST(f.file_crypto_nonce AS BLOB)) > 0 THEN 1 ELSE 2 END
            """ : "0"
        let join = canJoin ? "LEFT JOIN chat_items i ON i.chat_item_id = f.chat_item_id" : ""
        // Old rows may hold text as blobs.
        return """
            SELECT f.file_id, \(file("user_id")), \(file("contact_id")), \(file("group_id")),
                \(file("note_folder_id")), \(file("chat_item_id")),
                \(item("group_member_id")), \(item("item_sent")), CAST(\(file("file_name")) AS TEXT),
                CAST(f.file_path AS TEXT), \(file("file_size")), CAST(\(file("ci_file_status")) AS TEXT), \(keys),
                CAST(coalesce(\(item("item_ts")), \(file("created_at"))) AS TEXT),
                CAST(\(item("msg_content_tag")) AS TEXT)
            FROM files f \(join) WHERE f.file_path IS NOT NULL
            """
    }

    private static func reference(_ row: borrowing Statement) throws -> MediaReference {
        let id = row.value(0).integer ?? 0
        let name = row.value(8).text ?? ""
        let keys: [MediaReference.Keys] = [.none, .complete, .broken]
        return MediaReference(
            fileID: id, userID: row.value(1).integer ?? 0, chat: chat(row), itemID: row.value(5).integer,
            memberID: row.value(6).integer, isSent: row.value(7).integer.map { $0 != 0 }, fileName: name,
            filePath: row.value(9).text ?? "", fileSize: row.value(10).integer ?? -1,
            status: row.value(11).text,
            keys: keys[Int(row.value(12).integer ?? 0)], time: row.value(13).text.flatMap { UTCTime($0) },
            kind: row.value(14).text.flatMap { MediaKind(rawValue: $0) } ?? MediaKind(fileName: name))
    }

    private static func chat(_ row: borrowing Statement) -> MediaChat? {
        row.value(2).integer.map { .contact($0) } ?? row.value(3).integer.map { .group($0) }
            ?? row.value(4).integer.map { .notes($0) }
    }

    // MARK: Keys

    /// The keys of a row; nil for none.
    /// - Throws: ``CryptoFileError`` with `invalid` for a broken key; ``DatabaseError``; `SecretsError`.
    public func keys(of fileID: Int64, _ connection: borrowing Connection) throws -> CryptoFileArgs? {
        guard storesKeys else { return nil }
        return try keys(of: [fileID], connection).first
    }

    /// The keys of a row; nil where no program could use them.
    /// - Throws: ``DatabaseError``; `SecretsError`.
    public func usableKeys(
        of fileID: Int64, _ connection: borrowing Connection
    ) throws -> CryptoFileArgs? {
        do {
            return try keys(of: fileID, connection)
        } catch let error as CryptoFileError where error.code == .invalid {
            // The answer itself: text of 32 characters may have more bytes.
            return nil
        }
    }

    /// The keys of rows that have them, in the order of the rows.
    /// - Throws: as ``keys(of:_:)-(Int64,_)``.
    public func keys(of fileIDs: [Int64], _ connection: borrowing Connection) throws -> [CryptoFileArgs] {
        guard storesKeys, !fileIDs.isEmpty else { return [] }
        let rows = try connection.prepare(
            """
            SELECT file_crypto_key, file_crypto_nonce FROM files
            WHERE file_id = ? AND file_crypto_key IS NOT NULL AND file_crypto_nonce IS NOT NULL
            """)
        return try CryptoFileArgs.read(capacity: fileIDs.count) { add in
            for fileID in fileIDs {
                try rows.bind([.integer(fileID)])
                guard try rows.step() else { continue }
                try rows.withBytes(0) { key in try rows.withBytes(1) { try add(key, $0) } }
            }
        }
    }
}
