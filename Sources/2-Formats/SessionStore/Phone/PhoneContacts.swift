import ValiseDatabase

/// Whom the phone knows: contacts with their profiles, then profiles of others, such as members of groups.
struct PhoneContacts {
    let tables: SessionTables

    private struct Row: DecodableRow {
        let id: String
        let name: Stored<String>
        let nickname: Stored<String>
        let isApproved: Stored<String>
        let didApprove: Stored<String>
        let isBlocked: Stored<String>

        init(_ row: inout RowReader) throws(DatabaseError) {
            id = try row.required("id")
            name = try row.stored("name", of: "profile")
            nickname = try row.stored("nickname", of: "profile")
            isApproved = try row.stored("isApproved", of: "contact")
            didApprove = try row.stored("didApproveMe", of: "contact")
            isBlocked = try row.stored("isBlocked", of: "contact")
        }
    }

    func forEach(
        _ connection: borrowing Connection, _ damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionContact) throws -> Void
    ) throws {
        let hasProfiles = tables.has("id", in: "profile")
        let hasContacts = tables.has("id", in: "contact")
        if hasContacts {
            let join = hasProfiles ? " LEFT JOIN profile ON profile.id = contact.id" : ""
            let profile = hasProfiles ? [tables.source("profile", outerKey: "id")] : []
            try read([tables.source("contact")] + profile, "FROM contact\(join)", connection, damaged, body)
        }
        if hasProfiles {
            let rest =
                hasContacts
                ? " WHERE NOT EXISTS (SELECT 1 FROM contact WHERE contact.id = profile.id)" : ""
            try read([tables.source("profile")], "FROM profile\(rest)", connection, damaged, body)
        }
    }

    private func read(
        _ sources: [RowSource], _ tail: String, _ connection: borrowing Connection,
        _ damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws {
        try RowQuery<Row>(sources, tail, file: tables.file)
            .forEach(connection, "ORDER BY 1", damaged: damaged) { try take($0, damaged, body) }
    }

    private func take(
        _ row: Row, _ damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws {
        let problems = ReadingProblems()
        let contact = SessionContact(
            id: row.id, name: filled(row.name), nickname: filled(row.nickname),
            isApproved: problems.flag(row.isApproved, "isApproved"),
            didApprove: problems.flag(row.didApprove, "didApproveMe"),
            isBlocked: problems.flag(row.isBlocked, "isBlocked"))
        if let problem = problems.list.first {
            return try damaged(SessionStoreError(.damaged, "contact is damaged: \(problem)", row.id))
        }
        try body(contact)
    }

    private func filled(_ column: Stored<String>) -> String? {
        column.value.flatMap { $0.isEmpty ? nil : $0 }
    }
}
