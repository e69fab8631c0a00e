import ValiseChatSchema
import ValiseDatabase

extension ChatLog {
    /// Of users, contacts, groups, members and all other profiles, also those that nobody uses any more.
    package func knownNames() throws -> [KnownNames] {
        var known: [KnownNames] = []
        let users = try users()
        for user in users {
            let profile = try schema.profile(of: user.id, connection)
            known.append(KnownNames([user.name, profile?.localName] + Self.names(profile?.names)))
        }
        for user in users {
            try forEach(schema.contacts(of: user.id, connection)) {
                known.append(KnownNames([$0.localName] + Self.names($0.names)))
            }
            var groups: [Int64] = []
            try forEach(schema.groups(of: user.id, connection)) {
                known.append(KnownNames([$0.localName] + Self.names($0.names), isGroup: true))
                groups.append($0.id)
            }
            guard schema.namesMembers else { continue }
            for group in groups {
                try forEach(schema.members(of: group, connection)) {
                    known.append(KnownNames([$0.localName] + Self.names($0.names)))
                }
            }
        }
        try forEach(schema.profiles(connection)) { known.append(KnownNames(Self.names($0.names))) }
        return known
    }

    private static func names(_ names: ProfileNames?) -> [String?] {
        [names?.alias.value, names?.displayName.value, names?.fullName.value]
    }

    /// Rows that cannot be read are named where they are shown.
    private func forEach<Row>(_ rows: consuming RowCursor<Row>, _ body: (Row) -> Void) throws {
        while let row = try rows.nextResult() {
            if case .success(let row) = row { body(row) }
        }
    }
}
