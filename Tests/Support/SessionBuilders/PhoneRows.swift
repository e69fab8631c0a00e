package import ValiseDatabase
import ValiseEncoding

/// The rows of a synthetic folder of iOS.
package struct PhoneRows {
    private let story: Story
    private let era: PhoneEra
    private let hasAllTables: Bool

    package init(_ story: Story, _ era: PhoneEra = .current, hasAllTables: Bool) {
        (self.story, self.era) = (story, era)
        self.hasAllTables = hasAllTables
    }

    package func write(_ connection: borrowing Connection) throws {
        for chat in story.chats { try thread(chat, connection) }
        if hasAllTables { try people(connection) }
        let insert = try connection.prepare(
            """
            INSERT INTO interaction (id, serverHash, threadId, authorId, variant, body, timestampMs, receivedAtTimestampMs,
                wasRead, expiresInSeconds, expiresStartedAtMs, linkPreviewUrl, openGroupServerMessageId, state,
                recipientReadTimestampMs, mostRecentFailureText) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for message in story.messages {
            try insert.run(values(message))
            if hasAllTables { try parts(message, connection) }
        }
    }

    private func thread(_ chat: Story.Chat, _ connection: borrowing Connection) throws {
        let variant: Int64 =
            switch chat.kind {
            case .contact, .notes, .blinded: 0
            case .legacyGroup: 1
            case .community: 2
            case .group: 3
            }
        try connection.run(
            "INSERT INTO thread VALUES (?, ?, ?, ?, ?)",
            [
                .text(chat.id), .integer(variant), .real(1_600_000_000.5), .integer(chat.isHidden ? 0 : 1),
                .null,
            ])
        guard hasAllTables else { return }
        switch chat.kind {
        case .group, .legacyGroup:
            try connection.run(
                "INSERT INTO closedGroup VALUES (?, ?, ?)", [.text(chat.id), .text(chat.name), .null])
            for member in chat.members {
                try connection.run(
                    "INSERT INTO groupMember VALUES (?, ?, ?)",
                    [.text(chat.id), .text(member), .integer(chat.admins.contains(member) ? 3 : 0)])
            }
        case .community:
            try connection.run(
                "INSERT INTO openGroup VALUES (?, ?, ?, ?, ?)",
                [.text(chat.id), "https://open.example.org", "lokinet", .text(chat.name), .null])
        case .notes, .blinded:
            try connection.run(
                "INSERT INTO profile VALUES (?, ?, ?)", [.text(chat.id), .text(chat.name), .null])
        case .contact: break
        }
        try connection.run(
            "INSERT INTO disappearingMessagesConfiguration VALUES (?, ?, ?)",
            [.text(chat.id), .integer(chat.lifetime == nil ? 0 : 1), .real(Double(chat.lifetime ?? 86_400))])
    }

    private func people(_ connection: borrowing Connection) throws {
        let own = Hexadecimal.decode(String(story.ownID.dropFirst(2))) ?? []
        try connection.run("INSERT INTO identity VALUES ('x25519PublicKey', ?)", [.blob(own)])
        try connection.run(
            "INSERT INTO identity VALUES ('ed25519SecretKey', ?)",
            [.blob(StoryKeys(story.entropy).secretKey)])
        for person in story.people {
            try connection.run(
                "INSERT INTO profile VALUES (?, ?, ?)",
                [.text(person.id), .text(person.name), person.nickname.map { .text($0) } ?? .null])
            try connection.run(
                "INSERT INTO contact VALUES (?, ?, ?, ?)",
                [
                    .text(person.id), .integer(person.isApproved ? 1 : 0),
                    .integer(person.isBlocked ? 1 : 0), .integer(1),
                ])
        }
        for variant in ["contacts", "userProfile"] {
            try connection.run(
                "INSERT INTO configDump VALUES (?, ?, ?, ?)",
                [.text(variant), .text(story.ownID), .blob(Array("d1:!0:e".utf8)), .integer(Story.start)])
        }
    }

    private static func variant(_ message: StoryMessage) -> Int64 {
        switch message.kind {
        case .deleted: 2
        case .group: 1001
        case .lifetimeOn, .lifetimeOff: 2000
        case .captured: 3000
        case .accepted: 4000
        case .call: 5000
        case .unknown: 7777
        default: message.isSent ? 1 : 0
        }
    }

    private func values(_ message: StoryMessage) -> [Value] {
        let body =
            switch message.kind {
            case .lifetimeOn: "{\"isEnabled\":true,\"durationSeconds\":3600}"
            case .lifetimeOff: "{\"isEnabled\":false,\"durationSeconds\":0}"
            default: message.body
            }
        return [
            .integer(Int64(message.number) + 1), message.hash.map { .text($0) } ?? .null, .text(message.chat),
            .text(message.author), .integer(Self.variant(message)), body.map { .text($0) } ?? .null,
            .integer(message.sentAt), .integer(message.receivedAt), .integer(message.isUnread ? 0 : 1),
            message.lifetime.map { .real(Double($0)) } ?? .null,
            message.expiryStart.map { .real(Double($0)) } ?? .null,
            message.link.map { .text($0.address) } ?? .null,
            message.communityNumber.map { .integer($0) } ?? .null, .integer(2),
            message.kind == .read && message.isSent ? .integer(message.sentAt + 5) : .null,
            message.kind == .failed && message.isSent ? "no connection" : .null,
        ]
    }

    private func parts(_ message: StoryMessage, _ connection: borrowing Connection) throws {
        let row = Value.integer(Int64(message.number) + 1)
        for (index, file) in message.files.enumerated() {
            let id = Value.text("\(message.id)-\(index)")
            try attachment(file, id, connection)
            try connection.run(
                "INSERT INTO interactionAttachment VALUES (?, ?, ?)", [.integer(Int64(index)), row, id])
        }
        if let quote = message.quote {
            let picture = quote.picture.map { _ in Value.text("\(message.id)-quoted") } ?? .null
            if let file = quote.picture { try attachment(file, picture, connection) }
            try connection.run(
                "INSERT INTO quote VALUES (?, ?, ?, ?, ?)",
                [
                    row, .text(quote.author), .integer(quote.sentAt),
                    quote.text.map { .text($0) } ?? .null, picture,
                ])
        }
        for (index, reaction) in message.reactions.enumerated() {
            for author in reaction.authors {
                try connection.run(
                    "INSERT INTO reaction VALUES (?, ?, ?, 1, ?, ?)",
                    [
                        row, .text(author), .text(reaction.emoji), .integer(Int64(index)),
                        .integer(message.sentAt),
                    ])
            }
        }
        if let link = message.link {
            let picture = message.linkPicture.map { _ in Value.text("\(message.id)-preview") } ?? .null
            if let file = message.linkPicture { try attachment(file, picture, connection) }
            try connection.run(
                "INSERT OR IGNORE INTO linkPreview VALUES (?, ?, 0, ?, ?)",
                [
                    .text(link.address), .real(Double(message.sentAt / 100_000_000 * 100_000)),
                    .text(link.title), picture,
                ])
        }
        if era.hasDeduplication, let identifier = message.hash ?? message.communityNumber.map({ String($0) })
        {
            try connection.run(
                "INSERT INTO messageDeduplication VALUES (?, ?, ?, ?)",
                [
                    .text(message.chat), .text(identifier), .integer(message.sentAt / 1000 + 120),
                    .integer(message.hash == nil ? 1 : 0),
                ])
        }
    }

    private func attachment(
        _ file: StoryMessage.File, _ id: Value, _ connection: borrowing Connection
    ) throws {
        let state: Int64 = file.isThere ? 3 : file.isLost ? 0 : 1
        try connection.run(
            """
            INSERT INTO attachment (id, variant, state, contentType, byteCount, sourceFilename, downloadUrl, duration)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id, .integer(file.isVoice ? 1 : 0), .integer(state), .text(file.type),
                .integer(Int64(file.content.count)), file.name.map { .text($0) } ?? .null,
                .text(file.address + "?token=1#p=2"), file.isVoice ? .real(1.5) : .null,
            ])
    }
}
