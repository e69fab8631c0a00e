import SessionBuilders
import Testing
import ValiseChatSchema
import ValiseEncoding

@testable import ValiseChatLog

/// What the items of a message have to be.
struct SessionItemExpectation {
    private let message: StoryMessage
    private let story: Story
    private let isDirect: Bool
    private let hasInvitations: Bool

    init(_ message: StoryMessage, _ story: Story, isDirect: Bool, hasInvitations: Bool) {
        (self.message, self.story) = (message, story)
        (self.isDirect, self.hasInvitations) = (isDirect, hasInvitations)
    }

    private var name: String { "\(message.id) \(message.kind)" }

    func check(_ items: [ConversationItem]) {
        #expect(items.count == max(1, message.shownFiles.count), "\(name)")
        guard let first = items.first else { return }
        checkHead(first)
        #expect(items.map(\.kind) == kinds, "\(name)")
        #expect(first.text == text, "\(name)")
        #expect(EventText.sentence(of: first) == (first.message == nil ? text : ""), "\(name)")
        #expect(items.dropFirst().allSatisfy { $0.text.isEmpty && $0.reactions.isEmpty && $0.quote == nil })
        for (index, item) in items.enumerated() {
            #expect(item.key == (index == 0 ? first.key : "\(first.key).\(index + 1)"), "\(name)")
            check(item.file, at: index)
        }
    }

    private func checkHead(_ item: ConversationItem) {
        #expect(item.isSent == message.isSent, "\(name)")
        #expect(item.author == author(message.author), "\(name)")
        #expect(item.time.value?.seconds == message.sentAt / 1000, "\(name)")
        #expect(item.createdAt.value?.seconds == message.receivedAt / 1000, "\(name)")
        #expect(item.isUnread == (message.isUnread && !message.isSent), "\(name)")
        #expect(item.lifetime == message.lifetime, "\(name)")
        #expect((item.deletesAt != nil) == (message.expiryStart != nil), "\(name)")
        #expect(item.quote?.text == message.quote.map { $0.text ?? "" }, "\(name)")
        #expect(item.quote?.author == message.quote.map { author($0.author) }, "\(name)")
        #expect(item.reactions.map(\.emoji) == message.reactions.map(\.emoji), "\(name)")
        #expect(
            item.reactions.map(\.authors) == message.reactions.map { $0.authors.map(author) }, "\(name)")
        #expect(item.message?.link?.uri == link, "\(name)")
        #expect(item.isShown && item.hasValidContent, "\(name)")
        #expect(item.storedContent.contains("\"session\":"), "\(name)")
    }

    private func check(_ file: ItemFile?, at index: Int) {
        #expect((file != nil) == (index < message.shownFiles.count), "\(name)")
        guard let file, index < message.shownFiles.count else { return }
        let expected = message.shownFiles[index]
        #expect(file.name == expected.name ?? "voice.aac", "\(name)")
        #expect(file.size == Int64(expected.content.count), "\(name)")
        #expect((file.path != nil) == expected.isThere && file.isReceived == expected.isThere, "\(name)")
    }

    private func author(_ id: String) -> Participant {
        let chat = story.chats.first { $0.id == message.chat }
        if id == story.ownID || chat?.kind == .notes { return Participant(key: "me", name: "Me") }
        let person = story.people.first { $0.id == (isDirect ? message.chat : id) }
        guard isDirect else {
            return Participant(key: id, name: person?.nickname ?? person?.name ?? id)
        }
        return Participant(key: "contact", name: person?.nickname ?? chat?.name ?? "")
    }

    private var link: String? {
        if message.kind == .invitation, hasInvitations { return "https://open.example.org/room" }
        return message.link?.address
    }

    /// Of its items.
    var kinds: [ItemKind] {
        switch message.kind {
        case .picture: [.image]
        case .album: [.image, .image, .image]
        case .voice: [.voice]
        case .video: [.video]
        case .pending, .document, .lost: [.file]
        case .link, .linkOnly, .linkPicture: [.link]
        case .deleted: [.removed]
        case .call: [.call]
        case .lifetimeOn, .lifetimeOff, .group, .captured, .accepted, .unknown: [.event]
        case .invitation: hasInvitations ? [.link] : [.text]
        default: [.text]
        }
    }

    private var text: String {
        switch message.kind {
        case .deleted: "deleted message"
        case .call: "incoming call, missed"
        case .lifetimeOn: "set messages to disappear after 1 hour"
        case .lifetimeOff: "turned off disappearing messages"
        case .captured: "took a screenshot, or saved a file"
        case .accepted: "accepted the message request"
        case .unknown: "event: \(hasInvitations ? "verified-change" : "variant 7777")"
        case .group: "added \(story.people[1].nickname ?? story.people[1].name)"
        case .invitation: hasInvitations ? "invitation to the community Room" : ""
        case .mention: "@'\(story.people[1].name)' number \(message.number)"
        case .voice: hasInvitations ? "voice message (00:00)" : "voice message (00:02)"
        default: message.body ?? ""
        }
    }
}
