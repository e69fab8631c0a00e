import FaultInjection
import ValiseEncoding

/// What a synthetic account holds, whichever program's store it is written to: the same for the same seed.
package struct Story: Sendable {
    package struct Person: Sendable {
        package var id: String
        package var name: String
        package var nickname: String?
        package var isApproved: Bool
        package var isBlocked: Bool
    }

    package enum ChatKind: CaseIterable, Sendable {
        case contact, notes, group, legacyGroup, community, blinded
    }

    package struct Chat: Sendable {
        package var id: String
        package var kind: ChatKind
        package var name: String
        package var members: [String] = []
        package var admins: [String] = []
        package var lifetime: Int64?
        package var isHidden = false
    }

    package let ownID: String
    /// What the recovery password stands for: 16 bytes.
    package let entropy: [UInt8]
    package var people: [Person]
    package var chats: [Chat]
    package var messages: [StoryMessage]

    /// A word that some messages of a wide account have.
    package static let rareWord = "heron"

    /// In milliseconds since 1970: when the first message was sent.
    package static let start: Int64 = 1_700_000_000_000

    /// - Parameters:
    ///   - seed: of all that varies.
    ///   - count: how many messages; each kind comes as long as there are enough.
    ///   - isWide: with a request that waits, a contact that is blocked, one that is hidden, and another community.
    package init(seed: UInt64, messages count: Int, isWide: Bool = false) {
        var random = SeededGenerator(seed: seed)
        entropy = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        ownID = StoryKeys(entropy).ownID
        people = (0..<8).map { number in
            Person(
                id: Self.id("05", &random), name: "Person \(number) “é”",
                nickname: number % 3 == 0 ? "Nick \(number)" : nil, isApproved: number != 5,
                isBlocked: number == 6)
        }
        chats = []
        messages = []
        chats = Self.chats(ownID, people, &random)
        if isWide { chats += Self.moreChats(people) }
        for number in 0..<count { messages.append(message(number, &random)) }
        if isWide { addRareWord() }
    }

    private mutating func addRareWord() {
        for index in messages.indices where messages[index].kind == .text && index % 5 == 0 {
            messages[index].body?.append(" and a \(Self.rareWord)")
        }
    }

    private static func id(_ prefix: String, _ random: inout SeededGenerator) -> String {
        prefix + Hexadecimal.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private static func chats(
        _ own: String, _ people: [Person], _ random: inout SeededGenerator
    ) -> [Chat] {
        let members = people.map(\.id)
        var chats = people.prefix(3).map { Chat(id: $0.id, kind: .contact, name: $0.name) }
        chats.append(Chat(id: own, kind: .notes, name: "Me"))
        chats.append(
            Chat(
                id: id("03", &random), kind: .group, name: "Hikers", members: members.sorted(),
                admins: [members.sorted()[0]], lifetime: 3600))
        chats.append(
            Chat(
                id: id("05", &random), kind: .legacyGroup, name: "Old friends",
                members: members.prefix(4).sorted(), admins: [members.prefix(4).sorted()[1]],
                isHidden: true))
        chats.append(Chat(id: "https://open.example.org/lokinet", kind: .community, name: "Lokinet"))
        chats.append(Chat(id: id("15", &random), kind: .blinded, name: "Stranger"))
        return chats
    }

    private static func moreChats(_ people: [Person]) -> [Chat] {
        let request = people.first { !$0.isApproved }
        let blocked = people.first(where: \.isBlocked)
        var chats = [request, blocked, people.last].compactMap(\.self).map { person in
            Chat(id: person.id, kind: .contact, name: person.name)
        }
        chats[chats.count - 1].isHidden = true
        chats.append(Chat(id: "https://other.example.org/birds", kind: .community, name: "Birds"))
        return chats
    }

    private func message(_ number: Int, _ random: inout SeededGenerator) -> StoryMessage {
        let chat = chats[number % chats.count]
        let kind = StoryMessage.Kind.allCases[number / chats.count % StoryMessage.Kind.allCases.count]
        let others = chat.members.isEmpty ? [chat.kind == .community ? people[0].id : chat.id] : chat.members
        let isSent = kind.canBeSent && (chat.kind == .notes || Bool.random(using: &random))
        let author = isSent ? ownID : others.randomElement(using: &random) ?? ownID
        var message = StoryMessage(
            number: number, chat: chat.id, kind: kind, author: author, isSent: isSent,
            sentAt: Self.start + Int64(number) * 61_000)
        message.fill(in: chat, earlier: messages, people.map(\.id), &random)
        return message
    }

    /// Gives all files other contents, such as real pictures.
    package mutating func replaceContents(_ content: (StoryMessage.File) -> [UInt8]) {
        for index in messages.indices {
            for file in messages[index].files.indices {
                messages[index].files[file].content = content(messages[index].files[file])
            }
            if let picture = messages[index].linkPicture {
                messages[index].linkPicture?.content = content(picture)
            }
            if let picture = messages[index].quote?.picture {
                messages[index].quote?.picture?.content = content(picture)
            }
        }
    }
}
