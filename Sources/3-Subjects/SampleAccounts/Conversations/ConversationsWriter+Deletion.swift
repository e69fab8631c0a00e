extension ConversationsWriter {
    func play(_ scene: DeletionScene) throws {
        let harbour = SampleChat.group(places.harbour)
        let admin = places.member("bob")?.id
        switch scene {
        case .own: try say(in: places.direct(&generator), isSent: true) { $0.delete(1) }
        case .theirs:
            let item = try say("deleted *words* of theirs", in: places.any(&generator), isSent: false) {
                $0.delete(1)
            }
            try details.addVersions(item, ["older words of theirs", item.text])
        case .inNotes: try say(in: places.note(&generator), isSent: true) { $0.delete(1) }
        case .moderated: try say("moderated words", in: harbour, isSent: false) { $0.delete(1, by: admin) }
        case .moderatedStub:
            // What was said is gone from the row, and the tags say what it was.
            try say(in: harbour, isSent: false) {
                $0.fill(SampleMessages.media[0])
                $0.content = .one("rcvModerated")
                $0.text = "moderated"
                $0.delete(1, by: admin)
            }
        case .moderatedOwn:
            try say(in: .group(places.circle), isSent: true) {
                $0.content = .one("sndModerated")
                $0.text = "moderated"
                $0.delete(1, by: places.circle.members.first { $0.role == "owner" }?.id)
            }
        case .blocked:
            try say("from the noisy one", in: harbour, isSent: false, by: places.member("noisy")) {
                $0.delete(2)
            }
        case .blockedByAdmin:
            try say("from the banned one", in: harbour, isSent: false, by: places.member("banned")) {
                $0.delete(3)
            }
        case .unknownNumber: try say("deleted in a way to come", in: harbour, isSent: false) { $0.delete(9) }
        case .beforeMessage:
            // The chats with the admins see what the main one does not.
            try say(
                "deleted in a support chat", in: .support(places.harbour, places.member("asker")),
                isSent: true
            ) {
                $0.delete(1)
            }
        }
    }

    // MARK: What only some chats have

    func play(_ scene: PlaceScene) throws {
        let asker = places.member("asker")
        let support = SampleChat.support(places.harbour, asker)
        switch scene {
        case .reportReceived, .reportArchived: try receiveReports(archived: scene == .reportArchived)
        case .reportSent: try sendReport()
        case .supportTalk:
            for chat in places.supports.dropLast(2) {
                for isSent in [false, true, false] { try say(in: chat, isSent: isSent) }
            }
        case .ownSupportTalk:
            for chat in places.supports.suffix(2) {
                for isSent in [true, false] { try say(in: chat, isSent: isSent) }
            }
        case .business:
            for chat in places.businesses {
                for isSent in [false, true] { try say("about your order", in: chat, isSent: isSent) }
            }
        case .ownChannel:
            for isChannel in [true, false] {
                try say("a post of mine", in: .group(places.ownChannel), isSent: true) {
                    $0.isShownAsGroup = isChannel
                }
            }
        case .channel:
            try say("a *post*", in: .group(places.channel), isSent: false) {
                ($0.isShownAsGroup, $0.member) = (true, nil)
            }
            try say(
                "by the editor", in: .group(places.channel), isSent: false, by: places.channel.members.last)
        case .relayed:
            try say(
                "from somebody far", in: .group(places.harbour), isSent: false, by: places.member("ghost")
            ) {
                $0.extra.forwardedBy = places.member("bob")?.id
            }
        case .signed:
            for word in ["verified", "no_key", "sig_missing", "scribbled"] {
                try say("signed: \(word)", in: .group(places.channel), isSent: false) {
                    $0.extra.signature = word
                }
            }
        case .eventInSupport:
            for event in SampleEvent.everySentGroupEvent.suffix(5) { try write(event, in: support) }
        }
    }

    /// A member's reports are in the chat of that member with the admins, and quote what they are about.
    private func receiveReports(archived: Bool) throws {
        let asker = places.member("asker")
        for report in SampleMessages.reports {
            let reported = try say(
                "something bad", in: .group(places.harbour), isSent: false, by: places.member("odd"))
            try say(in: .support(places.harbour, asker), isSent: false, by: asker) {
                $0.fill(report)
                $0.extra.quote = quoting(reported, isSent: false, member: reported.member?.memberID)
                if archived { $0.delete(1) }
            }
        }
    }

    private func sendReport() throws {
        let reported = try say("something bad", in: .group(places.circle), isSent: false)
        try say(in: .support(places.circle, nil), isSent: true) {
            $0.fill(SampleMessages.report("spam", "please look"))
            $0.extra.quote = quoting(reported, isSent: false, member: reported.member?.memberID)
        }
    }

    // MARK: Rows that the core of today does not write

    func play(_ scene: OddScene) throws {
        let chat = places.direct(&generator)
        let harbour = SampleChat.group(places.harbour)
        switch scene {
        case .withoutTags:
            try say("older than the tags", in: chat, isSent: false) {
                ($0.contentTag, $0.messageTag) = (nil, nil)
            }
        case .oldEvent: try say("older than identifiers", in: chat, isSent: true) { $0.sharedID = [] }
        case .wrongDirection:
            try say("received, says the content", in: chat, isSent: true) {
                $0.isSent = false
                $0.fill(.plain($0.text))
                $0.isSent = true
            }
        case .wrongStatus:
            try say("sent, says the status", in: chat, isSent: false) { $0.status = "snd_sent complete" }
        case .lostAuthor:
            try say("by a member whose row is gone", in: harbour, isSent: false) { $0.member = nil }
        case .unreadMention:
            let item = try say("@alice, you have not read this", in: harbour, isSent: false) {
                ($0.extra.mentionsUser, $0.status) = (true, "rcv_new")
            }
            if let own = places.harbour.own { try details.addMention(of: own, as: own.name, in: item) }
        case .badTime:
            // Years that a renderer must not take for the present.
            try say("from long ago", in: chat, isSent: false) { $0.time = SampleTime(seconds: 951_782_399) }
            try say("from far away", in: chat, isSent: false) { $0.time = SampleTime(seconds: 4_102_444_800) }
        case .badScope:
            try say("in the chat of one who is gone", in: .support(places.harbour, nil), isSent: true)
        }
    }
}

extension ItemRow {
    /// Marks it as deleted two minutes later.
    mutating func delete(_ how: Int, by moderator: Int? = nil) {
        (extra.deleted, extra.deletedAt, extra.deletedBy) = (how, time.adding(120), moderator)
    }
}
