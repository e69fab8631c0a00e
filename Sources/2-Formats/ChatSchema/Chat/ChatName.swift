import SystemPackage
public import ValiseDatabase

/// The names of a contact, a group or a member.
public struct ChatName: Sendable {
    /// Given by the user.
    package let alias: Stored<String>
    /// Of its profile; nil where the profile is gone.
    package let displayName: String?
    /// The unique name on this device, such as `alice_1`.
    package let localName: String

    /// What is shown: the alias that the user gave, else the display name.
    public var shown: String {
        if let alias = alias.value, !alias.isEmpty { return alias }
        return displayName ?? localName
    }
}

/// The names in the row of a chat.
private protocol ChatNameRow: DecodableRow {
    var id: Int64 { get }
    var name: ChatName { get }
}

/// A contact's names.
private struct ContactNameRow: ChatNameRow {
    let id: Int64
    let name: ChatName

    init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("contact_id")
        name = ChatName(
            alias: try row.stored("local_alias", of: "contact_profiles"),
            displayName: try row.optional("display_name", of: "contact_profiles"),
            localName: try row.required("local_display_name"))
    }
}

/// A group's names. Groups have their alias in their own table.
private struct GroupNameRow: ChatNameRow {
    let id: Int64
    let name: ChatName

    init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("group_id")
        name = ChatName(
            alias: try row.stored("local_alias"),
            displayName: try row.optional("display_name", of: "group_profiles"),
            localName: try row.required("local_display_name"))
    }
}

/// The names of a group's member, under the profile that it has in this group.
struct MemberNameRow: DecodableRow {
    let name: ChatName

    init(_ row: inout RowReader) throws(DatabaseError) {
        let _: Int64 = try row.required("group_member_id")
        name = ChatName(
            alias: try row.stored("local_alias", of: "contact_profiles"),
            displayName: try row.optional("display_name", of: "contact_profiles"),
            localName: try row.required("local_display_name"))
    }
}

extension ChatSchema {
    /// The names of all contacts. A row that is not as its schema says is lent as the error.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    public func forEachContact(
        _ connection: borrowing Connection,
        _ body: (Result<(id: Int64, name: ChatName), DatabaseError>) throws -> Void
    ) throws {
        let query = try RowQuery<ContactNameRow>(
            [
                tables.source(.contacts, as: "c"),
                tables.source(.contactProfiles, as: "p", outerKey: "contact_profile_id"),
            ],
            "FROM contacts c LEFT JOIN contact_profiles p ON p.contact_profile_id = c.contact_profile_id",
            file: connection.path.string)
        try Self.lend(query, connection, body)
    }

    /// The names of all groups. A row that is not as its schema says is lent as the error.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package func forEachGroup(
        _ connection: borrowing Connection,
        _ body: (Result<(id: Int64, name: ChatName), DatabaseError>) throws -> Void
    ) throws {
        let query = try RowQuery<GroupNameRow>(
            [
                tables.source(.groups, as: "c"),
                tables.source(.groupProfiles, as: "p", outerKey: "group_profile_id"),
            ],
            "FROM groups c LEFT JOIN group_profiles p ON p.group_profile_id = c.group_profile_id",
            file: connection.path.string)
        try Self.lend(query, connection, body)
    }

    private static func lend(
        _ query: RowQuery<some ChatNameRow>, _ connection: borrowing Connection,
        _ body: (Result<(id: Int64, name: ChatName), DatabaseError>) throws -> Void
    ) throws {
        var rows = try query.rows(connection)
        while let row = try rows.nextResult() { try body(row.map { (id: $0.id, name: $0.name) }) }
    }

    /// Whether rows of members have names: a schema that is not of the apps may lack them.
    package var namesMembers: Bool {
        tables.has(.groupMembers, with: "local_display_name", "contact_profile_id")
    }

    /// The names of a group's member; nil where the row is gone.
    /// - Throws: `DatabaseError`.
    package func memberName(
        _ member: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> ChatName? {
        let profile =
            tables.has(.groupMembers, with: "member_profile_id")
            ? "coalesce(m.member_profile_id, m.contact_profile_id)" : "m.contact_profile_id"
        let query = try RowQuery<MemberNameRow>(
            [
                tables.source(.groupMembers, as: "m"),
                tables.source(.contactProfiles, as: "p", outerKey: "contact_profile_id"),
            ],
            "FROM group_members m LEFT JOIN contact_profiles p ON p.contact_profile_id = \(profile)",
            file: connection.path.string)
        return try query.first(connection, "WHERE m.group_member_id = ?", [.integer(member)])?.name
    }

    /// The folders of private notes; none where the schema is older than they are.
    /// - Throws: `DatabaseError`.
    package func noteFolders(_ connection: borrowing Connection) throws(DatabaseError) -> [Int64] {
        guard tables.has(.noteFolders, with: "note_folder_id") else { return [] }
        let query = try RowQuery<NoteFolderRow>(
            [tables.source(.noteFolders, as: "n")], "FROM note_folders n", file: connection.path.string)
        return try query.all(connection).map(\.id)
    }
}

/// A folder of private notes.
struct NoteFolderRow: DecodableRow {
    let id: Int64

    init(_ row: inout RowReader) throws(DatabaseError) { id = try row.required("note_folder_id") }
}
