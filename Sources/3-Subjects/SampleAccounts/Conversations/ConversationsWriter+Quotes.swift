extension ConversationsWriter {
    func play(_ scene: SampleScene) throws {
        switch scene {
        case .quote(let scene): try play(scene)
        case .forward(let scene): try play(scene)
        case .reactions(let scene): try play(scene)
        case .change(let scene): try play(scene)
        case .mention(let scene): try play(scene)
        case .deletion(let scene): try play(scene)
        case .place(let scene): try play(scene)
        case .odd(let scene): try play(scene)
        }
    }

    /// Writes a message of a few words, after something was changed in it.
    @discardableResult
    func say(
        _ text: String? = nil, in chat: SampleChat, isSent: Bool, by author: SampleMember? = nil,
        _ change: (inout ItemRow) -> Void = { _ in }
    ) throws -> ItemRow {
        var item = newItem(chat, isSent: isSent, by: author)
        item.fill(.plain(text ?? SampleTexts.sentence(&generator)))
        change(&item)
        try add(item)
        return item
    }

    // MARK: Quotes

    /// What an answer has of the item it answers to.
    func quoting(
        _ item: ItemRow, isSent: Bool?, member: [UInt8]? = nil, content: OrderedJSON? = nil
    ) -> ItemExtra.Quote {
        ItemExtra.Quote(
            sharedID: item.sharedID, sentAt: item.time,
            content: content ?? item.messageContent ?? SampleMessage.plain(item.text).json, isSent: isSent,
            memberID: member)
    }

    private func play(_ scene: QuoteScene) throws {
        switch scene {
        case .member, .ownInGroup, .ownByMember, .channel, .lostMember, .sharedID, .acrossScopes:
            try playInGroup(scene)
        default: try playDirect(scene)
        }
    }

    private func playDirect(_ scene: QuoteScene) throws {
        let chat = places.direct(&generator)
        let isOwn = generator.below(2) == 0
        switch scene {
        case .eachOther: try quoteEachOther(chat)
        case .gone:
            try say("about something that is gone", in: chat, isSent: isOwn) {
                $0.extra.quote = ItemExtra.Quote(
                    sharedID: generator.bytes(12), sentAt: .start,
                    content: SampleMessage.plain("A message that is gone").json, isSent: !isOwn)
            }
        default:
            let original = try say(in: chat, isSent: scene == .own) {
                if scene == .file { $0.fill(SampleMessages.media[0]) }
                if scene == .deleted { ($0.extra.deleted, $0.extra.deletedAt) = (1, $0.time.adding(60)) }
                if scene == .unknownType { $0.fill(SampleMessages.others[0]) }
            }
            var quote = quoting(original, isSent: scene == .own)
            if scene == .file {
                // Without a caption the quote has the name of the file.
                quote.content =
                    SampleMessage(
                        tag: "image", text: "photo_0001.jpg", fields: [("image", .text(SampleMedia.preview))]
                    ).json
            }
            if scene == .broken { quote.content = .raw(#"{"type":"text","te"#) }
            if scene == .withoutDirection { quote.isSent = nil }
            try say(in: chat, isSent: isOwn) { $0.extra.quote = quote }
        }
    }

    /// Two that quote each other, as only a hostile database has it.
    private func quoteEachOther(_ chat: SampleChat) throws {
        let ids = [generator.bytes(12), generator.bytes(12)]
        for isSent in [true, false] {
            let own = ids[isSent ? 0 : 1]
            let other = ids[isSent ? 1 : 0]
            var item = newItem(chat, isSent: isSent)
            item.sharedID = own
            item.fill(.plain("each of us quotes the other"))
            item.extra.quote = ItemExtra.Quote(
                sharedID: other, sentAt: item.time,
                content: SampleMessage.plain("each of us quotes the other").json,
                isSent: !isSent)
            try add(item)
        }
    }

    private func playInGroup(_ scene: QuoteScene) throws {
        let harbour = SampleChat.group(places.harbour)
        let bob = places.member("bob")
        let ann = places.member("Jo Ann")
        switch scene {
        case .ownInGroup, .ownByMember:
            let own = try say(in: harbour, isSent: true)
            let isByMember = scene == .ownByMember
            // Received answers name the user as they name every other member.
            let quote = quoting(own, isSent: true, member: isByMember ? places.harbour.own?.memberID : nil)
            try say(in: harbour, isSent: !isByMember, by: bob) { $0.extra.quote = quote }
        case .channel:
            let post = try say(in: .group(places.channel), isSent: false) {
                ($0.isShownAsGroup, $0.member) = (true, nil)
            }
            let quote = quoting(post, isSent: false)
            try say(in: .group(places.channel), isSent: false) { $0.extra.quote = quote }
        case .lostMember:
            let quote = ItemExtra.Quote(
                sharedID: generator.bytes(12), sentAt: .start,
                content: SampleMessage.plain("said by nobody that is known").json, isSent: false,
                memberID: generator.bytes(12))
            try say(in: harbour, isSent: true) { $0.extra.quote = quote }
        case .sharedID: try quoteOneOfTwo(in: harbour, bob, ann)
        default:
            let said = try say(in: harbour, isSent: false, by: places.member("asker"))
            let quote = quoting(said, isSent: false, member: said.member?.memberID)
            let isSupport = scene == .acrossScopes
            let answer = isSupport ? .support(places.harbour, said.member) : harbour
            try say(in: answer, isSent: isSupport, by: ann) { $0.extra.quote = quote }
        }
    }

    /// Messages of two members can have one identifier; which one is meant, the author tells.
    private func quoteOneOfTwo(in chat: SampleChat, _ first: SampleMember?, _ second: SampleMember?) throws {
        let one = try say("the first with this identifier", in: chat, isSent: false, by: first)
        let twin = try say("the second with this identifier", in: chat, isSent: false, by: second) {
            $0.sharedID = one.sharedID
        }
        let quote = quoting(twin, isSent: false, member: second?.memberID)
        try say(in: chat, isSent: true) { $0.extra.quote = quote }
    }

    // MARK: Forwards

    private func play(_ scene: ForwardScene) throws {
        let chat = places.any(&generator)
        let note = places.note(&generator)
        let isSent = generator.below(2) == 0
        let source = try say(in: .direct(SampleContact.all[0]), isSent: false)
        let inGroup = try say(in: .group(places.harbour), isSent: true)
        let contact = ItemExtra.Forward(
            tag: "contact", chatName: "bob", isSent: false, contact: source.chat.contact, item: source.id)
        let group = ItemExtra.Forward(
            tag: "group", chatName: places.harbour.name, isSent: true, group: places.harbour.id,
            item: inGroup.id)
        switch scene {
        case .unknown: try forward(ItemExtra.Forward(tag: "unknown"), into: chat, isSent: isSent)
        case .contact: try forward(contact, into: chat, isSent: true)
        case .group: try forward(group, into: chat, isSent: true)
        case .goneContact:
            let gone = ItemExtra.Forward(tag: "contact", chatName: HostileTexts.markup[0], isSent: true)
            try forward(gone, into: chat, isSent: true)
        case .goneGroup:
            try forward(
                ItemExtra.Forward(tag: "group", chatName: "", isSent: false), into: chat, isSent: true)
        case .savedFromContact: try forward(contact, into: note, isSent: true)
        case .savedFromGroup: try forward(group, into: note, isSent: true)
        case .broken: try forward(ItemExtra.Forward(tag: "contact"), into: chat, isSent: isSent)
        case .unknownTag:
            try forward(
                ItemExtra.Forward(tag: "planet", chatName: "Mars", isSent: true), into: chat, isSent: isSent)
        }
    }

    private func forward(_ forward: ItemExtra.Forward, into chat: SampleChat, isSent: Bool) throws {
        try say("look what I found", in: chat, isSent: isSent) { $0.extra.forward = forward }
    }
}
