import SessionBuilders
import SystemPackage
import Testing
import ValiseEncoding

@testable import ValiseSessionStore

/// What a store has to give of a story, whichever program's it is.
struct StoryExpectation {
    enum Program { case desktop, phone }

    let story: Story
    let program: Program
    /// Whether the oldest columns are all that there is.
    var isSparse = false

    /// - Parameter isExact: whether the store has nothing else.
    func check(_ store: some SessionStore, isExact: Bool = true) throws {
        #expect(store.ownID == story.ownID)
        let conversations = try store.conversations { Issue.record($0) }
        try check(conversations, isExact)
        for chat in story.chats {
            let expected = story.messages.filter { $0.chat == chat.id }
            var found: [SessionMessage] = []
            try store.forEachMessage(of: chat.id, newest: nil, damaged: { Issue.record($0) }) { message in
                found.append(message)
            }
            #expect(found.count == expected.count, "\(chat.kind)")
            for (message, expected) in zip(found, expected) { check(message, expected) }
        }
    }

    private func check(_ found: [SessionConversation], _ isExact: Bool) throws {
        for chat in story.chats {
            let conversation = try #require(found.first { $0.id == chat.id })
            let person = story.people.first { $0.id == chat.id }
            #expect(conversation.kind == Self.kind(chat.kind))
            #expect(conversation.name == chat.name)
            #expect(conversation.nickname == person?.nickname)
            #expect(conversation.title == person?.nickname ?? chat.name)
            #expect(conversation.members == chat.members)
            #expect(conversation.admins == chat.admins)
            #expect(conversation.lifetime == chat.lifetime)
            #expect(conversation.isHidden == chat.isHidden)
            let messages = story.messages.filter { $0.chat == chat.id }
            #expect(conversation.messages == Int64(messages.count))
            #expect(
                conversation.unread == (messages.isEmpty ? nil : Int64(messages.count(where: \.isUnread))))
            guard let last = messages.last else { continue }
            #expect(conversation.lastActive?.seconds == last.sentAt / 1000)
        }
        let silent =
            program == .desktop
            ? story.people.count { person in
                !story.chats.contains { $0.id == person.id }
            } : 0
        if isExact { #expect(found.count == story.chats.count + silent) }
        let used = found.compactMap(\.lastActive)
        #expect(used == used.sorted(by: >))
    }

    private static func kind(_ kind: Story.ChatKind) -> SessionConversation.Kind {
        switch kind {
        case .contact: .contact
        case .notes: .notes
        case .group: .group
        case .legacyGroup: .legacyGroup
        case .community: .community
        case .blinded: .communityContact
        }
    }

    // MARK: Messages

    private func check(_ found: SessionMessage, _ expected: StoryMessage) {
        let name = "\(expected.id) \(expected.kind)"
        #expect(found.problems == [], "\(name)")
        #expect(found.content == content(of: expected), "\(name)")
        #expect(found.body == body(of: expected), "\(name)")
        #expect(found.author == expected.author, "\(name)")
        #expect(found.isSent == expected.isSent, "\(name)")
        #expect(found.isUnread == expected.isUnread, "\(name)")
        #expect(found.sentAt == Self.time(expected.sentAt), "\(name)")
        #expect(found.receivedAt == Self.time(expected.receivedAt), "\(name)")
        #expect(found.identity == identity(of: expected), "\(name)")
        #expect(found.delivery == delivery(of: expected), "\(name)")
        #expect(found.expiry?.lifetime == expected.lifetime, "\(name)")
        #expect(found.expiry?.startedAt == expected.expiryStart.map(Self.time), "\(name)")
        #expect(found.isExpired(at: Self.time(Story.start * 2)) == (expected.kind == .expired), "\(name)")
        #expect(!found.isExpired(at: Self.time(expected.sentAt + 4999)), "\(name)")
        #expect(found.quote == expected.quote.map(Self.quote), "\(name)")
        #expect(
            found.reactions
                == expected.reactions.map {
                    SessionReaction(emoji: $0.emoji, authors: $0.authors, count: Int64($0.authors.count))
                }, "\(name)")
        #expect(found.linkPreviews.map(\.address) == (expected.link.map { [$0.address] } ?? []), "\(name)")
        #expect(
            found.linkPreviews.map(\.title)
                == (expected.link.map { [$0.title.isEmpty ? nil : $0.title] } ?? []),
            "\(name)")
        #expect(found.attachments.count == expected.files.count, "\(name)")
        for (attachment, file) in zip(found.attachments, expected.files) { check(attachment, file, name) }
    }

    static func time(_ milliseconds: Int64) -> UTCTime {
        UTCTime(seconds: milliseconds / 1000, nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }

    private static func quote(_ quote: StoryMessage.Quote) -> SessionQuote {
        SessionQuote(author: quote.author, sentAt: time(quote.sentAt), body: quote.text, attachments: [])
    }

    private func check(_ attachment: SessionAttachment, _ file: StoryMessage.File, _ name: String) {
        #expect(attachment.fileName == file.name, "\(name)")
        #expect(attachment.contentType == file.type, "\(name)")
        #expect(attachment.size == Int64(file.content.count), "\(name)")
        #expect(attachment.role == (file.isVoice ? .voice : .attachment), "\(name)")
        let isDesktop = program == .desktop
        guard file.isThere else {
            #expect(attachment.place == .absent(isDesktop ? "pending" : "pending download"), "\(name)")
            return
        }
        let path = isDesktop ? DesktopBuilder.path(of: file) : try? PhoneBuilder.name(of: file)
        #expect(
            attachment.place == .file(FilePath(path ?? ""), isDesktop ? .desktopEncrypted : .unencrypted),
            "\(name)")
    }

    private func content(of message: StoryMessage) -> SessionContent {
        switch message.kind {
        case .deleted: .deleted
        case .lifetimeOn: .lifetimeChanged(3600)
        case .lifetimeOff: .lifetimeChanged(nil)
        case .group: .groupChanged(message.body ?? "")
        case .call: .call("missed-call")
        case .captured: .captured
        case .accepted: .requestAccepted
        case .invitation where program == .desktop:
            .communityInvitation(name: "Room", address: "https://open.example.org/room")
        default: .message
        }
    }

    private func body(of message: StoryMessage) -> String? {
        if program == .desktop { return DesktopDocument.isEvent(message.kind) ? nil : message.body }
        return switch message.kind {
        case .lifetimeOn: "{\"isEnabled\":true,\"durationSeconds\":3600}"
        case .lifetimeOff: "{\"isEnabled\":false,\"durationSeconds\":0}"
        default: message.body
        }
    }

    private func identity(of message: StoryMessage) -> SessionIdentity? {
        message.hash.map { .serverHash($0) } ?? message.communityNumber.map { .communityMessage($0) }
    }

    private func delivery(of message: StoryMessage) -> SessionDelivery? {
        guard message.isSent else { return nil }
        switch message.kind {
        case .failed: return .failed("no connection")
        case .read: return .read
        case .waiting where program == .desktop: return .sending
        default: return program == .desktop ? .sent : .other("2")
        }
    }
}
