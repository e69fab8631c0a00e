/// What an item of the sample tries out, besides its content.
enum ItemTrait {
    case none, quote, forward, edited, reactions, mention, deleted, moderated, blocked, blockedByAdmin
    case timed, live
}

/// Where an item goes.
enum ItemPlace { case direct, group, either, support, notes, hidden }

/// One step of the plan that is gone through again and again.
enum PlannedItem {
    case message(SampleMessage.Kind, ItemTrait, ItemPlace)
    case event

    static let plan: [PlannedItem] = [
        .event, .message(.text, .none, .direct), .message(.image, .none, .either), .event,
        .message(.text, .quote, .direct), .message(.text, .none, .group), .message(.link, .none, .either),
        .event, .message(.text, .reactions, .direct), .message(.voice, .none, .either),
        .message(.text, .quote, .group), .message(.text, .edited, .direct), .event,
        .message(.file, .none, .either), .message(.text, .mention, .group), .message(.text, .none, .notes),
        .message(.image, .quote, .direct), .message(.text, .deleted, .direct), .event,
        .message(.video, .none, .either), .message(.text, .reactions, .group),
        .message(.text, .forward, .direct), .message(.report, .none, .group),
        .message(.text, .none, .hidden), .event, .message(.chat, .none, .direct),
        .message(.text, .moderated, .group), .message(.text, .timed, .direct),
        .message(.image, .reactions, .group), .event, .message(.text, .none, .support),
        .message(.file, .none, .notes), .message(.unknown, .none, .either),
        .message(.text, .blocked, .group), .event, .message(.text, .live, .direct),
        .message(.voice, .forward, .direct), .message(.text, .edited, .group),
        .message(.text, .none, .direct), .event, .message(.image, .none, .hidden),
        .message(.text, .blockedByAdmin, .group), .message(.link, .forward, .group),
        .message(.text, .quote, .either), .event, .message(.file, .deleted, .group),
        .message(.text, .none, .group), .message(.text, .none, .direct),
    ]
}

/// Chooses the chats of the items.
struct SampleChats {
    let direct: [SampleChat]
    let hidden: [SampleChat]
    let groups: [SampleChat]
    let support: [SampleChat]
    let notes: [SampleChat]

    init(people: [SampleContact], groups: [SampleGroup]) {
        let open = people.filter(\.hasChat)
        direct = open.filter { $0.user == 1 }.map { .direct($0) }
        hidden = open.filter { $0.user == 2 }.map { .direct($0) }
        self.groups = groups.map { .group($0) }
        let waiting = groups.flatMap { group in
            group.members.filter { $0.status.hasPrefix("pending") }.map { SampleChat.support(group, $0) }
        }
        // The user's own chat with the admins, where the user is none of them.
        support = waiting + groups.filter { $0.kind == .channel }.map { .support($0, nil) }
        notes = SampleUser.all.map { .notes($0) }
    }

    func choose(_ place: ItemPlace, _ trait: ItemTrait, _ generator: inout SampleGenerator) -> SampleChat {
        let fallback = SampleChat.notes(.alice)
        return switch place {
        case .direct: generator.pick(direct, or: fallback)
        case .hidden: generator.pick(hidden, or: fallback)
        case .support: generator.pick(support, or: fallback)
        case .notes: generator.below(4) == 0 ? generator.pick(notes, or: fallback) : fallback
        case .group:
            // Only the usual group has moderators and members to block or mention.
            trait == .none || trait == .quote
                ? generator.pick(groups, or: fallback) : groups.first ?? fallback
        case .either where generator.below(2) == 0: generator.pick(direct, or: fallback)
        case .either: groups.first ?? fallback
        }
    }
}
