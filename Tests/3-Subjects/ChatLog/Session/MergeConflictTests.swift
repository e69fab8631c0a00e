import SessionBuilders
import SystemPackage
import Testing
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Contradictions of devices, and what is taken then.
struct MergeConflictTests {
    /// On the phone a message has the number of its row less one.
    private static let story = Story(seed: 31, messages: 210)

    private func number(_ kind: StoryMessage.Kind, sent: Bool? = nil) throws -> Int {
        try #require(
            Self.story.messages.first {
                $0.kind == kind && $0.hash != nil && (sent == nil || $0.isSent == sent)
            }
        ).number
    }

    /// A desktop and a phone with the same messages, but for what statements change on the phone.
    private func devices(phone statements: [String], desktop: [String] = []) throws -> MergedDevices {
        MergedDevices(
            Self.story,
            [
                try SessionFixture(.desktop, Self.story, statements: desktop),
                try SessionFixture(.phone, Self.story, statements: statements),
            ])
    }

    private func message(_ number: Int, _ devices: MergedDevices) throws -> MergedMessage {
        let hash = try #require(Self.story.messages[number].hash)
        return try #require(
            devices.findings().messages.first { $0.message.identity == .serverHash(hash) })
    }

    /// The conflict, which the order of the devices does not change.
    private func conflict(
        _ field: MergeConflict.Field, _ number: Int, _ devices: MergedDevices
    ) throws -> (MergedMessage, MergeConflict) {
        let merged = try message(number, devices)
        #expect(merged.stores == [0, 1])
        let conflict = try #require(merged.conflicts.first { $0.field == field })
        #expect(conflict.values.map(\.store) == [0, 1])
        let hash = Self.story.messages[number].hash
        let turned = try devices.findings([1, 0]).messages.first { $0.message.identity?.text == hash }
        #expect(turned?.message == merged.message.turned)
        #expect(turned?.conflicts.map(\.taken) == merged.conflicts.map(\.taken))
        return (merged, conflict)
    }

    private func phone(_ change: String, _ number: Int) -> String {
        "UPDATE interaction SET \(change) WHERE id = \(number + 1)"
    }

    // MARK: Fields

    @Test func `equal devices contradict each other in nothing but what programs store differently`() throws {
        let fields = Set(try devices(phone: []).findings().conflicts.map(\.field))
        // The phone has no invitations, and words of its own for what became of a message.
        #expect(fields.isSubset(of: [.kind, .delivery, .text, .quote, .links]), "\(fields)")
    }

    @Test func `a deletion counts, and the text is not told`() throws {
        let number = try number(.text)
        let devices = try devices(phone: [phone("variant = 2, body = NULL", number)])
        let (merged, conflict) = try conflict(.deleted, number, devices)
        #expect(merged.message.content == .deleted)
        #expect(merged.message.body == nil)
        #expect(merged.message.document == nil)
        #expect(conflict.taken == .bool(true))
        #expect(!merged.conflicts.contains { $0.field == .text })
    }

    @Test func `of texts the longest is taken`() throws {
        let number = try number(.text)
        let longer = "Message \(number), and more"
        let devices = try devices(phone: [phone("body = '\(longer)'", number)])
        let (merged, conflict) = try conflict(.text, number, devices)
        #expect(merged.message.body == longer)
        #expect(conflict.values.map(\.value) == [.text("Message \(number)"), .text(longer)])
    }

    @Test func `the file that is there is taken`() throws {
        let number = try number(.picture)
        let devices = try devices(
            phone: [],
            desktop: [
                """
                UPDATE messages SET json = json_remove(json, '$.attachments[0].path') WHERE id = 'message-\(number)'
                """
            ])
        let (merged, conflict) = try conflict(.file, number, devices)
        #expect(merged.message.attachments.first?.file?.string.hasPrefix("1/") == true)
        #expect(conflict.values.map(\.value) == [.text("absent"), .text("present")])
    }

    @Test func `a copy without attachments does not hide those of the other`() throws {
        let number = try number(.album)
        let devices = try devices(
            phone: ["DELETE FROM interactionAttachment WHERE interactionId = \(number + 1)"])
        let (merged, conflict) = try conflict(.attachments, number, devices)
        #expect(merged.message.attachments.count == 3)
        #expect(conflict.values.map(\.value) == [.number("3"), .number("0")])
    }

    @Test func `the timer that ends first is taken`() throws {
        let number = try number(.disappearing)
        let sentAt = Self.story.messages[number].sentAt
        let devices = try devices(phone: [phone("expiresStartedAtMs = \(sentAt - 5000)", number)])
        let (merged, _) = try conflict(.expiry, number, devices)
        #expect(merged.message.expiry?.startedAt?.milliseconds == sentAt - 5000)
    }

    @Test func `a timer that only one device has counts`() throws {
        let number = try number(.text)
        let devices = try devices(
            phone: [phone("expiresInSeconds = 5, expiresStartedAtMs = 1700000000000", number)])
        let (merged, conflict) = try conflict(.expiry, number, devices)
        #expect(merged.message.isExpired(at: SessionFixture.now))
        #expect(conflict.values[0].value == .null)
    }

    @Test func `reactions are united`() throws {
        let number = try number(.reactions)
        let other = Self.story.people[5].id
        let devices = try devices(
            phone: [
                "DELETE FROM reaction WHERE interactionId = \(number + 1) AND emoji = '👍'",
                "INSERT INTO reaction VALUES (\(number + 1), '\(other)', '🎉', 1, 9, 1)",
            ])
        let (merged, _) = try conflict(.reactions, number, devices)
        #expect(Set(merged.message.reactions.map(\.emoji)) == ["👍", "❤️", "😄", "🎉"])
    }

    @Test func `what was read on one device was read`() throws {
        let number = try number(.unread)
        let devices = try devices(phone: [phone("wasRead = 1", number)])
        let (merged, conflict) = try conflict(.read, number, devices)
        #expect(merged.message.isUnread == false)
        #expect(conflict.taken == .bool(true))
    }

    @Test func `of deliveries the latest is taken`() throws {
        let number = try number(.text, sent: true)
        let devices = try devices(phone: [phone("recipientReadTimestampMs = 1700000000001", number)])
        let (merged, _) = try conflict(.delivery, number, devices)
        #expect(merged.message.delivery == .read)
    }

    @Test func `of quotes of different messages one is taken`() throws {
        let number = try number(.quote)
        let devices = try devices(
            phone: ["UPDATE quote SET timestampMs = timestampMs + 1 WHERE interactionId = \(number + 1)"])
        _ = try conflict(.quote, number, devices)
    }

    @Test func `of times the first is taken`() throws {
        let number = try number(.text)
        let sentAt = Self.story.messages[number].sentAt
        let devices = try devices(phone: [phone("timestampMs = \(sentAt + 70_000_000)", number)])
        let (merged, _) = try conflict(.time, number, devices)
        #expect(merged.message.sentAt?.milliseconds == sentAt)
    }

    // MARK: Without identity

    @Test func `without an identity the same text at the same time is the same message`() throws {
        let number = try number(.text)
        for desktop in [false, true] {
            let devices = try devices(
                phone: [phone("serverHash = NULL", number)], desktop: desktop ? [Self.unknown(number)] : [])
            let found = try devices.findings()
            #expect(found.messages.count == Self.story.messages.count)
            #expect(found.doubts.isEmpty)
        }
    }

    private static func unknown(_ number: Int) -> String {
        """
        UPDATE messages SET messageHash = NULL, json = json_remove(json, '$.messageHash') WHERE id = 'message-\(number)'
        """
    }

    @Test func `without an identity another text is another message, and listed as doubtful`() throws {
        let number = try number(.text)
        let devices = try devices(
            phone: [phone("serverHash = NULL, body = 'other'", number)], desktop: [Self.unknown(number)])
        let found = try devices.findings()
        #expect(found.messages.count == Self.story.messages.count + 1)
        let doubt = try #require(found.doubts.first)
        #expect(found.doubts.count == 1)
        #expect(Set([doubt.first, doubt.second].map(\.message.body)) == ["other", "Message \(number)"])
        #expect(Set([doubt.first, doubt.second].map(\.stores)) == [[0], [1]])
    }

    @Test func `a device keeps as many equal messages as it has`() throws {
        let number = try number(.text)
        let twice = """
            INSERT INTO interaction SELECT 90000, NULL, threadId, authorId, variant, body, timestampMs, receivedAtTimestampMs,
                wasRead, expiresInSeconds, expiresStartedAtMs, linkPreviewUrl, openGroupServerMessageId, state,
                recipientReadTimestampMs, mostRecentFailureText FROM interaction WHERE id = \(number + 1)
            """
        let devices = try devices(
            phone: [phone("serverHash = NULL", number), twice], desktop: [Self.unknown(number)])
        #expect(try devices.findings().messages.count == Self.story.messages.count + 1)
        #expect(try devices.findings([1, 1]).messages.count == Self.story.messages.count + 1)
    }

    // MARK: Removed

    @Test func `a message that one device removed is kept, and told`() throws {
        let number = try number(.text)
        let devices = try devices(phone: ["DELETE FROM interaction WHERE id = \(number + 1)"])
        let merged = try message(number, devices)
        #expect(merged.stores == [0])
        #expect(merged.removedFrom == [1])
        let found = try devices.findings().messages
        #expect(found.count == Self.story.messages.count)
        #expect(found.count { !$0.removedFrom.isEmpty } == 1)
    }

    @Test func `a copy that a device has twice is there once`() throws {
        let number = try number(.text)
        let devices = try devices(
            phone: [],
            desktop: [
                """
                INSERT INTO messages SELECT 'again', json, conversationId, type, source, body, sent_at, received_at, expires_at,
                    expireTimer, unread, serverTimestamp, serverId, messageHash, expirationStartTimestamp FROM messages
                    WHERE id = 'message-\(number)'
                """
            ])
        #expect(try message(number, devices).repeated == 1)
        #expect(try devices.findings().messages.count == Self.story.messages.count)
    }

    // MARK: Communities

    @Test(arguments: [
        ("https://Open.example.org/room", "http://open.example.org/room", true),
        ("https://open.example.org.room", "https://open.example.org/room", true),
        ("https://open.example.org:443/room", "https://open.example.org:443.room", true),
        ("https://open.example.org/room", "https://open.example.org/Room", false),
        ("05ab", "05ab", true), ("05ab", "05AB", false),
    ])
    func `forms of an address are compared`(_ first: String, _ second: String, _ isSame: Bool) {
        let same = CommunityAddress.comparable(first) == CommunityAddress.comparable(second)
        #expect(same == isSame)
    }

    @Test func `a community under two forms of its address keeps the messages of both`() throws {
        let (shared, other) = ("https://open.example.org/lokinet", "http://open.example.org/lokinet")
        let statements = [
            """
            INSERT INTO conversations (id, active_at, type, displayNameInProfile)
                SELECT '\(other)', active_at, type, displayNameInProfile FROM conversations WHERE id = '\(shared)'
            """,
            """
            UPDATE messages SET conversationId = '\(other)', json = replace(json, '\(shared)', '\(other)')
                WHERE conversationId = '\(shared)' AND serverId % 3 = 0
            """,
        ]
        let devices = try devices(phone: [], desktop: statements)
        let alone = MergedDevices(Self.story, [devices.devices[0]])
        let own = try alone.devices[0].store().conversations(damaged: { throw $0 })
        #expect(own.count { [shared, other].contains($0.id) && $0.messages > 0 } == 2)
        for merged in [alone, devices] {
            for order in [Array(merged.devices.indices), merged.devices.indices.reversed()] {
                let found = try merged.findings(order).messages
                #expect(found.count == Self.story.messages.count)
                #expect(found.allSatisfy { $0.stores.count == merged.devices.count && $0.repeated == 0 })
            }
            let conversations = try merged.store().conversations(damaged: { throw $0 })
            #expect(conversations.count { [shared, other].contains($0.id) } == 1)
        }
    }
}

extension SessionMessage {
    /// The same with the numbers of two stores exchanged.
    fileprivate var turned: SessionMessage {
        func turned(_ attachment: SessionAttachment) -> SessionAttachment {
            guard case .file(let path, let form) = attachment.place,
                let (store, rest) = MergedPath.split(path)
            else { return attachment }
            return attachment.with(place: .file(MergedPath.path(rest, of: 1 - store), form))
        }
        return SessionMessage(
            id: id, row: row, conversation: conversation, author: author, isSent: isSent, content: content,
            body: body, sentAt: sentAt, receivedAt: receivedAt, serverTime: serverTime, identity: identity,
            isUnread: isUnread, delivery: delivery, expiry: expiry, quote: quote, reactions: reactions,
            linkPreviews: linkPreviews, attachments: attachments.map(turned), problems: problems,
            document: document)
    }
}
