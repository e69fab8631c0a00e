import SystemPackage
package import ValiseDatabase

/// A profile of somebody: of a contact, a member, or one that nothing refers to any more.
package struct ProfileRow: DecodableRow {
    package let id: Int64
    package let names: ProfileNames

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("contact_profile_id")
        names = try ProfileNames(&row, of: .contactProfiles, alias: nil)
    }
}

extension ChatSchema {
    /// All profiles of people.
    /// - Throws: `DatabaseError`.
    package func profiles(_ connection: borrowing Connection) throws(DatabaseError) -> RowCursor<ProfileRow> {
        let query = try RowQuery<ProfileRow>(
            [tables.source(.contactProfiles, as: "p")], "FROM contact_profiles p",
            file: connection.path.string)
        return try query.rows(connection, "ORDER BY p.contact_profile_id")
    }
}
