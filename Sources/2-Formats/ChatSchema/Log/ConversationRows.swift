import SystemPackage
package import ValiseDatabase

/// The names and the picture of whoever has a profile.
package struct ProfileNames: Sendable {
    /// Given by the user.
    package let alias: Stored<String>
    package let displayName: Stored<String>
    package let fullName: Stored<String>
    /// A data URI.
    package let image: Stored<String>
    package let description: Stored<String>

    init(
        _ row: inout RowReader, of table: ChatTable, alias aliasTable: ChatTable?
    ) throws(DatabaseError) {
        alias = try row.stored("local_alias", of: (aliasTable ?? table).rawValue)
        displayName = try row.stored("display_name", of: table.rawValue)
        fullName = try row.stored("full_name", of: table.rawValue)
        image = try row.stored("image", of: table.rawValue)
        let text = table == .groupProfiles ? "description" : "short_descr"
        description = try row.stored(text, of: table.rawValue)
    }

    /// What is shown: the alias that the user gave, else the display name; nil where neither is known.
    package var shown: String? {
        if let alias = alias.value, !alias.isEmpty { return alias }
        return displayName.value
    }
}

/// A contact, as a conversation.
package struct ContactRow: DecodableRow {
    package let id: Int64
    /// The unique name on this device.
    package let localName: String
    package let names: ProfileNames
    package let isUsed: Stored<Bool>
    package let isDeleted: Stored<Bool>
    /// Whether the conversation was deleted, and the contact kept.
    package let isConversationDeleted: Stored<Bool>
    package let isMarkedUnread: Stored<Bool>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("contact_id")
        localName = try row.required("local_display_name")
        names = try ProfileNames(&row, of: .contactProfiles, alias: nil)
        isUsed = try row.stored("contact_used")
        isDeleted = try row.stored("deleted")
        isConversationDeleted = try row.stored("chat_deleted")
        isMarkedUnread = try row.stored("unread_chat")
    }
}

/// A group, a business chat or a channel, as a conversation.
package struct GroupRow: DecodableRow {
    package let id: Int64
    /// The unique name on this device.
    package let localName: String
    package let names: ProfileNames
    /// `business` or `customer`: what this user is in a business chat.
    package let businessRole: Stored<String>
    /// `channel`, `group`, or a later word.
    package let type: Stored<String>
    package let isBeingCreated: Stored<Bool>
    package let isMarkedUnread: Stored<Bool>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("group_id")
        localName = try row.required("local_display_name")
        names = try ProfileNames(&row, of: .groupProfiles, alias: .groups)
        businessRole = try row.stored("business_chat")
        type = try row.stored("group_type", of: ChatTable.groupProfiles.rawValue)
        isBeingCreated = try row.stored("creating_in_progress")
        isMarkedUnread = try row.stored("unread_chat")
    }
}

/// A member of a group.
package struct MemberRow: DecodableRow {
    package let id: Int64
    /// The ID that all members know it by.
    package let memberID: [UInt8]
    /// `user` for this user's own row.
    package let category: String
    package let localName: String
    package let names: ProfileNames

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("group_member_id")
        memberID = try row.required("member_id")
        category = try row.required("member_category")
        localName = try row.required("local_display_name")
        names = try ProfileNames(&row, of: .contactProfiles, alias: nil)
    }
}

extension ChatSchema {
    private func profile(_ table: ChatTable, key: String) -> RowSource {
        tables.source(table, as: "p", outerKey: key)
    }

    /// The contacts of a user, also those that the apps do not list.
    /// - Throws: `DatabaseError`.
    package func contacts(
        of user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<ContactRow> {
        let query: RowQuery<ContactRow> = try contactQuery(connection)
        let others = tables.has(.contacts, with: "is_user") ? "AND c.is_user = 0" : ""
        return try query.rows(
            connection, "WHERE c.user_id = ? \(others) ORDER BY c.contact_id", [.integer(user)])
    }

    /// The groups of a user.
    /// - Throws: `DatabaseError`.
    package func groups(
        of user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<GroupRow> {
        try groupQuery(connection).rows(
            connection, "WHERE c.user_id = ? ORDER BY c.group_id", [.integer(user)])
    }

    /// Contacts and their profiles, as rows of a kind.
    ///
    /// - Parameters:
    ///   - connection: to the database.
    ///   - contacts: what they are taken from, with `c` as their name.
    func contactQuery<Row: DecodableRow>(
        _ connection: borrowing Connection, from contacts: String = "contacts c"
    ) throws(DatabaseError) -> RowQuery<Row> {
        try RowQuery<Row>(
            [tables.source(.contacts, as: "c"), profile(.contactProfiles, key: "contact_profile_id")],
            """
            FROM \(contacts)
            LEFT JOIN contact_profiles p ON p.contact_profile_id = c.contact_profile_id
            """, file: connection.path.string)
    }

    /// Groups and their profiles, as rows of a kind.
    func groupQuery<Row: DecodableRow>(
        _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowQuery<Row> {
        try RowQuery<Row>(
            [tables.source(.groups, as: "c"), profile(.groupProfiles, key: "group_profile_id")],
            "FROM groups c LEFT JOIN group_profiles p ON p.group_profile_id = c.group_profile_id",
            file: connection.path.string)
    }

    /// The contacts that are users themselves.
    static let usersContacts = "users u JOIN contacts c ON c.contact_id = u.contact_id"

    /// The members of all groups, as rows of a kind.
    func memberQuery<Row: DecodableRow>(
        _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowQuery<Row> {
        let profileKey =
            tables.has(.groupMembers, with: "member_profile_id")
            ? "coalesce(m.member_profile_id, m.contact_profile_id)" : "m.contact_profile_id"
        return try RowQuery<Row>(
            [tables.source(.groupMembers, as: "m"), profile(.contactProfiles, key: "contact_profile_id")],
            "FROM group_members m LEFT JOIN contact_profiles p ON p.contact_profile_id = \(profileKey)",
            file: connection.path.string)
    }

    /// The members of a group, this user's own row among them.
    /// - Throws: `DatabaseError`.
    package func members(
        of group: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<MemberRow> {
        try memberQuery(connection).rows(
            connection, "WHERE m.group_id = ? ORDER BY m.group_member_id", [.integer(group)])
    }

    /// The note folders of a user; none where the schema is older than they are.
    /// - Throws: `DatabaseError`.
    package func noteFolders(
        of user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> [Int64] {
        guard tables.has(.noteFolders, with: "note_folder_id", "user_id") else { return [] }
        let query = try RowQuery<NoteFolderRow>(
            [tables.source(.noteFolders, as: "n")], "FROM note_folders n", file: connection.path.string)
        return try query.all(connection, "WHERE n.user_id = ? ORDER BY n.note_folder_id", [.integer(user)])
            .map(\.id)
    }

    /// The names of a user's own profile; nil where its row is gone.
    /// - Throws: `DatabaseError`.
    package func profile(
        of user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> ContactRow? {
        try contactQuery(connection, from: Self.usersContacts).first(
            connection, "WHERE u.user_id = ?", [.integer(user)])
    }

    /// Which talks with administrators a group has: those with items.
    /// - Throws: `DatabaseError`.
    package func supportScopes(
        of group: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> [ItemScope] {
        guard tables.has(.chatItems, with: "group_scope_tag", "group_scope_group_member_id") else {
            return []
        }
        let statement = try connection.prepare(
            """
            SELECT DISTINCT group_scope_group_member_id FROM chat_items
            WHERE group_id = ? AND group_scope_tag = 'member_support' ORDER BY 1
            """)
        try statement.bind([.integer(group)])
        var scopes: [ItemScope] = []
        while try statement.step() {
            scopes.append(.support(group: group, member: Int64(statement.value(0))))
        }
        return scopes
    }
}
