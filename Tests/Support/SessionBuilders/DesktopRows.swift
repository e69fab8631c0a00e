package import ValiseDatabase
import ValiseEncoding

/// The rows of a synthetic profile of Desktop.
package struct DesktopRows {
    private let story: Story
    private let hasNewColumns: Bool

    package init(_ story: Story, hasNewColumns: Bool) {
        self.story = story
        self.hasNewColumns = hasNewColumns
    }

    package func write(_ connection: borrowing Connection) throws {
        try items(connection)
        for person in story.people where !story.chats.contains(where: { $0.id == person.id }) {
            try conversation(person, nil, connection)
        }
        for chat in story.chats {
            let person = story.people.first { $0.id == chat.id }
            try conversation(person, chat, connection)
        }
        let columns =
            "id, json, conversationId, type, source, body, sent_at, received_at, expires_at, expireTimer, unread"
            + (hasNewColumns ? ", serverTimestamp, serverId, messageHash, expirationStartTimestamp" : "")
        let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        let insert = try connection.prepare("INSERT INTO messages (\(columns)) VALUES (\(marks))")
        let seen = try connection.prepare("INSERT INTO seenMessages VALUES (?, ?, ?)")
        for message in story.messages {
            try insert.run(values(message))
            guard let hash = message.hash else { continue }
            try seen.run([.text(hash), .text(message.chat), .integer(message.sentAt + 1)])
        }
    }

    private func items(_ connection: borrowing Connection) throws {
        let blocked = story.people.filter(\.isBlocked).map { JSONNode.text($0.id) }
        let items: [(String, JSONNode)] = [
            ("primaryDevicePubKey", .text(story.ownID)),
            ("local_attachment_encrypted_key", .text(DesktopBuilder.attachmentKey)),
            ("mnemonic", .text(StoryKeys(story.entropy).words)), ("blocked", .array(blocked)),
        ]
        for (name, value) in items {
            let json = JSONNode.object([.init("id", .text(name)), .init("value", value)]).jsonText
            try connection.run("INSERT INTO items VALUES (?, ?)", [.text(name), .text(json)])
        }
        for variant in ["ContactsConfig", "UserConfig"] {
            try connection.run(
                "INSERT INTO configDump VALUES (?, ?, ?)",
                [.text(variant), .text(story.ownID), .blob(Array("d1:!0:e".utf8))])
        }
    }

    private func conversation(
        _ person: Story.Person?, _ chat: Story.Chat?, _ connection: borrowing Connection
    ) throws {
        let isPrivate = chat.map { [.contact, .notes, .blinded].contains($0.kind) } ?? true
        func list(_ ids: [String]) -> Value { .text(JSONNode.array(ids.map { .text($0) }).jsonText) }
        let last = story.messages.last { $0.chat == chat?.id }?.sentAt
        try connection.run(
            """
            INSERT INTO conversations (id, active_at, type, members, groupAdmins, displayNameInProfile, nickname, isApproved,
                didApproveMe, priority, markedAsUnread, expireTimer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(chat?.id ?? person?.id ?? ""), last.map { .integer($0) } ?? .null,
                .text(isPrivate ? "private" : chat?.kind == .group ? "groupv2" : "group"),
                list(chat?.members ?? []), list(chat?.admins ?? []),
                .text(chat?.name ?? person?.name ?? ""), person?.nickname.map { .text($0) } ?? .null,
                .integer(person?.isApproved == false ? 0 : 1), .integer(1),
                .integer(chat?.isHidden == true ? -1 : 0), .integer(0), .integer(chat?.lifetime ?? 0),
            ])
    }

    private func values(_ message: StoryMessage) -> [Value] {
        let type: Value = .text(DesktopDocument.type(message))
        let body = DesktopDocument.isEvent(message.kind) ? nil : message.body
        var values: [Value] = [
            .text(message.id), .text(DesktopDocument.node(of: message).jsonText), .text(message.chat), type,
            .text(message.author), body.map { .text($0) } ?? .null, .integer(message.sentAt),
            .integer(message.receivedAt), DesktopDocument.end(message).map { .integer($0) } ?? .null,
            .integer(message.lifetime ?? 0), .integer(message.isUnread ? 1 : 0),
        ]
        if hasNewColumns {
            values += [
                message.communityNumber == nil ? .null : .integer(message.sentAt),
                message.communityNumber.map { .integer($0) } ?? .null,
                message.hash.map { .text($0) } ?? .null, .integer(message.expiryStart ?? 0),
            ]
        }
        return values
    }
}
