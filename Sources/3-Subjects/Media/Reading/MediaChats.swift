import ValiseChatSchema
package import ValiseDatabase

/// The names of an account's chats.
package struct MediaChats {
    /// One chat under the names that people know it by.
    package struct Names: Sendable {
        /// What is shown: the alias that the user gave, else the display name.
        package let shown: String
        /// The unique name of the program, such as `alice_1`.
        package let local: String
    }

    private var names: [MediaChat: Names] = [:]
    /// The names of the users.
    package private(set) var users: [Int64: String] = [:]

    /// What private notes are called.
    package static let notesName = "Private notes"

    /// What is wrong with rows that are not as their schema says. Their chats have no names here.
    package private(set) var damagedRows: [DatabaseError] = []

    /// - Throws: `DatabaseError`.
    package init(_ connection: borrowing Connection) throws {
        let schema = try ChatSchema(connection)
        try schema.forEachContact(connection) { add($0) { .contact($0) } }
        try schema.forEachGroup(connection) { add($0) { .group($0) } }
        for folder in try schema.noteFolders(connection) {
            names[.notes(folder)] = Names(shown: Self.notesName, local: "*")
        }
        var rows = try schema.users(connection)
        while let row = try rows.nextResult() {
            switch row {
            case .success(let user): users[user.id] = user.name
            case .failure(let error): damagedRows.append(error)
            }
        }
    }

    private mutating func add(
        _ row: Result<(id: Int64, name: ChatName), DatabaseError>, _ chat: (Int64) -> MediaChat
    ) {
        switch row {
        case .success(let row):
            names[chat(row.id)] = Names(shown: row.name.shown, local: row.name.localName)
        case .failure(let error): damagedRows.append(error)
        }
    }

    /// The names of a chat; nil for one that is not in the database.
    package subscript(_ chat: MediaChat) -> Names? { names[chat] }

    /// The chats that a name means: `@name` a contact, `#name` a group, `*` the notes, a bare name any of them.
    package func find(_ name: String) -> Set<MediaChat> {
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
