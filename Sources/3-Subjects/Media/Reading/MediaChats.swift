public import ValiseDatabase

/// The names of an account's chats.
public struct MediaChats {
    /// One chat under the names that people know it by.
    public struct Names: Sendable {
        /// What is shown: the alias that the user gave, else the display name.
        public let shown: String
        /// The unique name of the program, such as `alice_1`.
        public let local: String
    }

    private var names: [MediaChat: Names] = [:]
    /// The names of the users.
    public private(set) var users: [Int64: String] = [:]

    /// What private notes are called.
    public static let notesName = "Private notes"

    /// - Throws: ``DatabaseError``.
    public init(_ connection: borrowing Connection) throws {
        try read(
            connection, "contacts", "contact_profiles", "contact_id", "contact_profile_id",
            alias: Self.has("local_alias", "contact_profiles", connection) ? "p.local_alias" : "NULL"
        ) { .contact($0) }
        // Groups have their alias in their own table.
        try read(
            connection, "groups", "group_profiles", "group_id", "group_profile_id",
            alias: Self.has("local_alias", "groups", connection) ? "c.local_alias" : "NULL"
        ) { .group($0) }
        if try Self.has("note_folder_id", "note_folders", connection) {
            for row in try connection.rows("SELECT note_folder_id FROM note_folders") {
                names[.notes(row[0].integer ?? 0)] = Names(shown: Self.notesName, local: "*")
            }
        }
        for row in try connection.rows("SELECT user_id, local_display_name FROM users") {
            users[row[0].integer ?? 0] = row[1].text ?? ""
        }
    }

    private static func has(
        _ column: String, _ table: String, _ connection: borrowing Connection
    ) throws -> Bool {
        let sql = "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?"
        return try connection.value(sql, [.text(table), .text(column)]) != 0
    }

    private mutating func read(
        _ connection: borrowing Connection, _ table: String, _ profiles: String, _ id: String,
        _ profile: String, alias: String, _ chat: (Int64) -> MediaChat
    ) throws {
        let rows = try connection.prepare(
            """
            SELECT c.\(id), coalesce(nullif(\(alias), ''), p.display_name, c.local_display_name),
                c.local_display_name FROM \(table) c LEFT JOIN \(profiles) p ON p.\(profile) = c.\(profile)
            """)
        while try rows.step() {
            names[chat(rows.value(0).integer ?? 0)] = Names(
                shown: rows.value(1).text ?? "", local: rows.value(2).text ?? "")
        }
    }

    /// The names of a chat; nil for one that is not in the database.
    public subscript(_ chat: MediaChat) -> Names? { names[chat] }

    /// The chats that a name means: `@name` a contact, `#name` a group, `*` the notes, a bare name any of them.
    public func find(_ name: String) -> Set<MediaChat> {
        if name == "*" { return Set(names.keys.filter { if case .notes = $0 { true } else { false } }) }
        let kind = name.first.flatMap { "@#".contains($0) ? $0 : nil }
        let bare = kind == nil ? name : String(name.dropFirst())
        return Set(
            names.filter { chat, names in
                let isOfKind =
                    switch (kind, chat) {
                    case (nil, _), ("@", .contact), ("#", .group): true
                    default: false
                    }
                // A name itself may start with one of the signs.
                return isOfKind && (names.shown == bare || names.local == bare)
                    || kind != nil && (names.shown == name || names.local == name)
            }.keys)
    }
}
