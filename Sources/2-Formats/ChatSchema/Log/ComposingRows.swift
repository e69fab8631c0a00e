import SystemPackage
package import ValiseDatabase

/// What decides what the user may send to a contact.
package struct ContactPreferencesRow: DecodableRow {
    /// The user's for this contact, as JSON.
    package let own: Stored<String>
    /// The contact's, as JSON.
    package let theirs: Stored<String>
    /// `active`, `deleted`, `deletedByUser`.
    package let status: Stored<String>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        own = try row.stored("user_preferences")
        theirs = try row.stored("preferences", of: ChatTable.contactProfiles.rawValue)
        status = try row.stored("contact_status")
    }
}

/// What a group allows.
package struct GroupPreferencesRow: DecodableRow {
    /// As JSON.
    package let preferences: Stored<String>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        preferences = try row.stored("preferences", of: ChatTable.groupProfiles.rawValue)
    }
}

/// What a member of a group is in it.
package struct MemberRoleRow: DecodableRow {
    package let member: MemberRow
    /// Such as `observer`, `member`, `owner`.
    package let role: Stored<String>
    /// Such as `connected`, `left`, `removed`.
    package let status: Stored<String>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        member = try MemberRow(&row)
        role = try row.stored("member_role")
        status = try row.stored("member_status")
    }
}

/// Whether a connection encrypts against quantum computers too.
private struct ConnectionEncryptionRow: DecodableRow {
    let encrypts: Stored<Bool>

    init(_ row: inout RowReader) throws(DatabaseError) { encrypts = try row.stored("pq_encryption") }
}

extension ChatSchema {
    /// What decides what the user may send to a contact; nil where its row is gone.
    /// - Throws: `DatabaseError`.
    package func preferences(
        ofContact contact: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> ContactPreferencesRow? {
        try contactQuery(connection).first(connection, "WHERE c.contact_id = ?", [.integer(contact)])
    }

    /// What the user allows everybody, as JSON; nil where nothing is stored.
    /// - Throws: `DatabaseError`.
    package func preferences(
        ofUser user: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        let query: RowQuery<ContactPreferencesRow> = try contactQuery(
            connection, from: Self.usersContacts)
        return try query.first(connection, "WHERE u.user_id = ?", [.integer(user)])?.theirs.value
    }

    /// What a group allows, as JSON; nil where nothing is stored.
    /// - Throws: `DatabaseError`.
    package func preferences(
        ofGroup group: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        let query: RowQuery<GroupPreferencesRow> = try groupQuery(connection)
        return try query.first(connection, "WHERE c.group_id = ?", [.integer(group)])?.preferences.value
    }

    /// The members of a group and what they are in it, this user's own row among them.
    /// - Throws: `DatabaseError`.
    package func roles(
        in group: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> RowCursor<MemberRoleRow> {
        try memberQuery(connection).rows(
            connection, "WHERE m.group_id = ? ORDER BY m.group_member_id", [.integer(group)])
    }

    /// Whether a connection with a contact encrypts against quantum computers too.
    /// - Throws: `DatabaseError`.
    package func usesPostQuantum(
        contact: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> Bool {
        guard tables.has(.connections, with: "pq_encryption", "contact_id") else { return false }
        let query = try RowQuery<ConnectionEncryptionRow>(
            [tables.source(.connections, as: "c")], "FROM connections c", file: connection.path.string)
        return try query.all(connection, "WHERE c.contact_id = ?", [.integer(contact)])
            .contains { $0.encrypts.value ?? false }
    }
}
