/// The chats of the conversations, and who writes in them.
struct ConversationPlaces {
    private let contacts: [SampleChat]
    private let groups: [SampleChat]
    private let notes: [SampleChat]
    private let support: [SampleChat]
    /// The group that has members of every kind.
    let harbour: SampleGroup
    /// A group in which the user is one of many, under another name.
    let circle: SampleGroup
    let channel: SampleGroup
    let ownChannel: SampleGroup

    /// - Parameters:
    ///   - people: of the usual sample; in chats of those who are gone, there are items as well.
    init(_ cast: SampleCast, people: [SampleContact]) {
        func group(_ id: Int) -> SampleGroup {
            cast.groups.first { $0.id == id }
                ?? SampleGroup(id: id, name: "", kind: .usual, members: [])
        }
        harbour = group(11)
        circle = group(12)
        channel = group(13)
        ownChannel = group(14)
        contacts = (people + cast.contacts).map { .direct($0) }
        groups = cast.groups.map { .group($0) }
        notes = SampleCast.users.map { .notes($0) }
        let asking = harbour.members.filter { ["applicant", "reviewee", "asker"].contains($0.name) }
        support =
            asking.map { [harbour] in .support(harbour, $0) } + [
                .support(circle, nil), .support(channel, nil),
            ]
    }

    var all: [SampleChat] { contacts + groups + notes + support }
    /// Those in which others write.
    var receiving: [SampleChat] { contacts + groups + support }
    /// Chats of single members with the admins; the last two are the user's own.
    var supports: [SampleChat] { support }
    /// Those of a business: as the business, and as its customer.
    var businesses: [SampleChat] { groups.filter { $0.group?.kind == .business } }

    func direct(_ generator: inout SampleGenerator) -> SampleChat { pick(contacts, &generator) }
    func group(_ generator: inout SampleGenerator) -> SampleChat { pick(groups, &generator) }
    func note(_ generator: inout SampleGenerator) -> SampleChat { pick(notes, &generator) }
    func any(_ generator: inout SampleGenerator) -> SampleChat { pick(receiving, &generator) }
    func anySending(_ generator: inout SampleGenerator) -> SampleChat { pick(all, &generator) }

    private func pick(_ chats: [SampleChat], _ generator: inout SampleGenerator) -> SampleChat {
        generator.pick(chats, or: .notes(.alice))
    }

    /// Whose messages arrive in a chat; those who left wrote before they did.
    func author(in chat: SampleChat, _ generator: inout SampleGenerator) -> SampleMember? {
        if case .support(let group, let member?) = chat {
            let admin = group.authors.first { ["admin", "moderator"].contains($0.role) }
            return generator.below(3) == 0 ? admin : member
        }
        let silent = ["pending_approval", "pending_review", "invited"]
        let authors = (chat.group?.members ?? []).filter { !$0.isUser && !silent.contains($0.status) }
        return authors.isEmpty ? nil : authors[generator.below(authors.count)]
    }

    /// A member by name, for scenes that are about one.
    func member(_ name: String) -> SampleMember? { harbour.members.first { $0.name == name } }
}

/// The time of the conversations: minutes, now and then days, from the end of a February with 29 days.
struct ConversationClock {
    private var time = SampleTime(seconds: 1_709_161_000)
    private var generator: SampleGenerator

    /// The first of December 2025; no days are left out after it.
    private static let slow = 1_764_547_200

    init(seed: UInt64) { generator = SampleGenerator(seed: seed, purpose: "clock") }

    /// When the next item was sent by the relay's clock and stored here. Of what others send, some comes late, so that the
    /// order of one is not that of the other.
    mutating func next(isSent: Bool) -> (sent: SampleTime, stored: SampleTime) {
        let isLong = generator.below(50) == 0 && time.seconds < Self.slow
        let step = 1 + generator.below(isLong ? 259_200 : 600)
        time = SampleTime(seconds: time.seconds + step, milliseconds: generator.below(1000))
        guard !isSent else { return (time, time) }
        let delay = generator.below(8) == 0 ? generator.below(1800) : 0
        let sent = SampleTime(seconds: time.seconds - delay, milliseconds: generator.below(4) * 250)
        return (min(sent, time), time)
    }
}
