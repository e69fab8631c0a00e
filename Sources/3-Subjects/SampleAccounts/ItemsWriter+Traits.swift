extension ItemsWriter {
    func apply(_ trait: ItemTrait, to item: inout ItemRow) {
        let later = item.time.adding(120)
        switch trait {
        case .none, .reactions, .mention: break
        case .edited: item.extra.isEdited = true
        case .live: item.extra.live = 1
        case .quote: item.extra.quote = quote(for: item)
        case .forward: item.extra.forward = forward(of: item)
        case .timed:
            item.extra.timeToLive = 604_800
            if item.status != "rcv_new" { item.extra.deleteAt = item.time.adding(604_800) }
        case .deleted: (item.extra.deleted, item.extra.deletedAt) = (1, later)
        case .moderated:
            (item.extra.deleted, item.extra.deletedAt) = (1, later)
            let moderator = item.chat.group?.members.first { $0.role == "admin" }
            item.extra.deletedBy = moderator?.id
        case .blocked: (item.extra.deleted, item.extra.deletedAt) = (2, later)
        case .blockedByAdmin: (item.extra.deleted, item.extra.deletedAt) = (3, later)
        }
        if let group = item.chat.group, group.kind == .usual, !item.isSent, item.id % 9 == 0 {
            item.extra.forwardedBy = group.members.first { $0.role == "admin" }?.id
        }
    }

    /// The last message of the chat; one that is no longer there where the chat is still empty.
    private func quote(for item: ItemRow) -> ItemExtra.Quote {
        guard let quoted = last[item.chat.key], let content = quoted.messageContent else {
            return ItemExtra.Quote(
                sharedID: generator.bytes(12), sentAt: .start,
                content: SampleMessage.plain("A message that is gone").json, isSent: false)
        }
        return ItemExtra.Quote(
            sharedID: quoted.sharedID, sentAt: quoted.time, content: content, isSent: quoted.isSent,
            memberID: item.chat.group == nil ? nil : quoted.member?.memberID)
    }

    private func forward(of item: ItemRow) -> ItemExtra.Forward {
        let sources = last.values.filter { $0.chat.user == item.chat.user && $0.chat.noteFolder == nil }
        let sorted = sources.sorted { $0.id < $1.id }
        guard !sorted.isEmpty, generator.below(4) > 0 else { return ItemExtra.Forward(tag: "unknown") }
        let source = sorted[generator.below(sorted.count)]
        return ItemExtra.Forward(
            tag: source.chat.group == nil ? "contact" : "group", chatName: source.chat.name,
            isSent: source.isSent, contact: source.chat.contact, group: source.chat.group?.id,
            item: source.id)
    }

    /// Puts mentions of members, or of the user, into the text.
    func mention(in content: inout SampleMessage, _ item: inout ItemRow) -> [SampleMember] {
        guard let group = item.chat.group else { return [] }
        let wanted = item.isSent ? ["bob", "Oma Erna"] : ["alice"]
        let mentioned = group.members.filter { wanted.contains($0.name) }
        let names = mentioned.map { $0.name.contains(" ") ? "@'\($0.name)'" : "@\($0.name)" }
        content = .plain(names.joined(separator: " ") + " " + SampleTexts.sentence(&generator))
        item.extra.mentionsUser = !item.isSent
        return mentioned
    }
}

extension ItemRow {
    /// The message inside of the content; nil for events.
    var messageContent: OrderedJSON? {
        guard case .object(let outer) = content, case .object(let fields)? = outer.first?.1 else {
            return nil
        }
        return fields.first { $0.0 == "msgContent" }?.1
    }
}
