import ValiseChatSchema
import ValiseDatabase

extension ChatLog {
    /// Of users, contacts, groups, members and all other profiles, also those that nobody uses any more.
    package func knownNames() throws -> [KnownNames] {
        var known: [KnownNames] = []
        let users = try users()
        for user in users {
            let profile = try schema.profile(of: user.id, connection)
            known.append(Self.known(profile?.names, user.name, profile?.localName))
        }
        for user in users {
            try forEach(schema.contacts(of: user.id, connection)) {
                known.append(Self.known($0.names, $0.localName))
            }
            var groups: [Int64] = []
            try forEach(schema.groups(of: user.id, connection)) {
                known.append(Self.known($0.names, $0.localName, isGroup: true))
                groups.append($0.id)
            }
            guard schema.namesMembers else { continue }
            for group in groups {
                try forEach(schema.members(of: group, connection)) {
                    known.append(Self.known($0.names, $0.localName))
                }
            }
        }
        try forEach(schema.profiles(connection)) { known.append(Self.known($0.names)) }
        return known
    }

    private static func known(_ names: ProfileNames?, _ others: String?..., isGroup: Bool = false)
        -> KnownNames
    {
        KnownNames(
            [names?.alias.value, names?.displayName.value] + others, fullName: names?.fullName.value,
            isGroup: isGroup)
    }

    /// Rows that cannot be read are named where they are shown.
    private func forEach<Row>(_ rows: consuming RowCursor<Row>, _ body: (Row) -> Void) throws {
        while let row = try rows.nextResult() {
            if case .success(let row) = row { body(row) }
        }
    }
}
