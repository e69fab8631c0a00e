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
            #expect(conversation.firstMessage?.seconds == messages[0].sentAt / 1000)
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

    /// All at once: an expectation for each field of thousands of messages would take most of the time.
    private func check(_ found: SessionMessage, _ told: StoryMessage) {
        let expected = message(told, row: found.row, document: found.document)
        if found != expected { Issue.record("\(told.kind): \(found), not \(expected)") }
        let isExpired = found.isExpired(at: Self.time(Story.start * 2))
        if isExpired != (told.kind == .expired) || found.isExpired(at: Self.time(told.sentAt + 4999)) {
            Issue.record("\(told.kind): \(found.expiry as Any)")
        }
    }

    private func message(_ told: StoryMessage, row: Int64, document: String?) -> SessionMessage {
        SessionMessage(
            id: program == .desktop ? told.id : String(told.number + 1), row: row, conversation: told.chat,
            author: told.author, isSent: told.isSent, content: content(of: told), body: body(of: told),
            sentAt: Self.time(told.sentAt), receivedAt: Self.time(told.receivedAt),
            serverTime: program == .desktop && told.communityNumber != nil ? Self.time(told.sentAt) : nil,
            identity: identity(of: told), isUnread: told.isUnread,
            delivery: delivery(of: told), expiry: expiry(of: told), quote: told.quote.map(quote),
            reactions: told.reactions.map {
                SessionReaction(emoji: $0.emoji, authors: $0.authors, count: Int64($0.authors.count))
            },
            linkPreviews: told.link.map { link in
                let title = link.title.isEmpty ? nil : link.title
                let picture = told.linkPicture.map { attachment($0, .linkPreview) }
                return [SessionLinkPreview(address: link.address, title: title, picture: picture)]
            } ?? [],
            attachments: told.files.map { attachment($0) }, problems: [], document: document)
    }

    private func expiry(of message: StoryMessage) -> SessionExpiry? {
        SessionExpiry(
            lifetime: message.lifetime, startedAt: message.expiryStart,
            expiresAt: message.expiryStart.map { $0 + (message.lifetime ?? 0) * 1000 })
    }

    static func time(_ milliseconds: Int64) -> UTCTime {
        UTCTime(seconds: milliseconds / 1000, nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }

    private func quote(_ quote: StoryMessage.Quote) -> SessionQuote {
        SessionQuote(
            author: quote.author, sentAt: Self.time(quote.sentAt), body: quote.text,
            attachments: quote.picture.map { [attachment($0, .quoted)] } ?? [])
    }

    private func attachment(
        _ file: StoryMessage.File, _ role: SessionAttachment.Role = .attachment
    ) -> SessionAttachment {
        SessionAttachment(
            fileName: file.name, contentType: file.type, size: Int64(file.content.count), width: nil,
            height: nil, duration: program == .phone && file.isVoice ? 1.5 : nil, caption: nil,
            role: file.isVoice ? .voice : role, place: place(of: file))
    }

    private func place(of file: StoryMessage.File) -> SessionAttachment.Place {
        let isDesktop = program == .desktop
        if file.isLost { return .absent(isDesktop ? "error" : "failed download") }
        guard file.isThere else { return .absent(isDesktop ? "pending" : "pending download") }
        let path = isDesktop ? DesktopBuilder.path(of: file) : try? PhoneBuilder.name(of: file)
        return .file(FilePath(path ?? ""), isDesktop ? .desktopEncrypted : .unencrypted)
    }

    private func content(of message: StoryMessage) -> SessionContent {
        switch message.kind {
        case .deleted: .deleted
        case .lifetimeOn: .lifetimeChanged(3600)
        case .lifetimeOff: .lifetimeChanged(nil)
        case .group: .groupChanged(message.body ?? "")
        case .call: .call("missed-call")
        case .captured: .captured
        case .unknown: .event(program == .desktop ? "verified-change" : "variant 7777")
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
