extension ConversationsWriter {
    // MARK: Reactions

    func play(_ scene: ReactionScene) throws {
        let kinds = SampleStatuses.reactions
        let harbour = SampleChat.group(places.harbour)
        switch scene {
        case .direct, .unknown, .deleted:
            let item = try say(in: places.direct(&generator), isSent: generator.below(2) == 0) {
                if scene == .deleted { ($0.extra.deleted, $0.extra.deletedAt) = (1, $0.time.adding(90)) }
            }
            let shown = scene == .unknown ? Array(kinds.suffix(2)) : Array(kinds.prefix(3))
            for (index, kind) in shown.enumerated() {
                try details.add(kind, to: item, of: nil, by: nil, isOwn: false, after: 5 + index)
                try details.add(kind, to: item, of: nil, by: nil, isOwn: true, after: 9 + index)
            }
        case .group, .toOwn:
            let isOwn = scene == .toOwn
            let item = try say(in: harbour, isSent: isOwn)
            let author = isOwn ? places.harbour.own : item.member
            try details.add(kinds[0], to: item, of: author?.memberID, by: nil, isOwn: true, after: 3)
            for (index, member) in places.harbour.authors.enumerated() {
                let kind = kinds[index % 3]
                try details.add(
                    kind, to: item, of: author?.memberID, by: member, isOwn: false, after: 5 + index)
            }
        case .channel:
            let post = try say(in: .group(places.channel), isSent: false) {
                ($0.isShownAsGroup, $0.member) = (true, nil)
            }
            try details.add(kinds[6], to: post, of: nil, by: nil, isOwn: false, after: 4)
            try details.add(kinds[5], to: post, of: nil, by: nil, isOwn: true, after: 5)
        case .ofLostMember:
            let item = try say(in: harbour, isSent: false, by: places.member("ghost"))
            try details.add(kinds[1], to: item, of: item.member?.memberID, by: nil, isOwn: false, after: 4)
        case .sharedID:
            let first = try say(
                "one of two with this identifier", in: harbour, isSent: false, by: places.member("bob"))
            let second = try say("the other one", in: harbour, isSent: false, by: places.member("Jo Ann")) {
                $0.sharedID = first.sharedID
            }
            try details.add(kinds[0], to: first, of: first.member?.memberID, by: nil, isOwn: true, after: 4)
            try details.add(kinds[4], to: second, of: second.member?.memberID, by: nil, isOwn: true, after: 5)
        }
    }

    // MARK: Versions, live and disappearing messages

    func play(_ scene: ChangeScene) throws {
        let chat = places.direct(&generator)
        switch scene {
        case .edited, .editedByMember, .editedVoice, .editedIntoLink, .editedHostile:
            try edit(scene, in: chat)
        case .liveNow: try say("I am still typi", in: chat, isSent: true) { $0.extra.live = 1 }
        case .liveEnded:
            let item = try say("I have typed this", in: chat, isSent: false) { $0.extra.live = 0 }
            // Updates while it was typed are versions, and the item is not edited.
            try details.addVersions(item, ["I have", "I have typed", "I have typed this"])
        case .liveEmpty: try say("", in: chat, isSent: true) { $0.extra.live = 0 }
        case .timedUnread:
            try say(in: chat, isSent: false) { ($0.extra.timeToLive, $0.status) = (86_400, "rcv_new") }
        case .timedRunning:
            try say(in: chat, isSent: false) {
                ($0.extra.timeToLive, $0.extra.deleteAt) = (604_800, $0.time.adding(604_800))
            }
        case .timedSent:
            try say(in: chat, isSent: true) {
                ($0.extra.timeToLive, $0.extra.deleteAt) = (30, $0.time.adding(30))
            }
        case .timedLive: try say(in: chat, isSent: true) { ($0.extra.timeToLive, $0.extra.live) = (300, 1) }
        }
    }

    private func edit(_ scene: ChangeScene, in chat: SampleChat) throws {
        switch scene {
        case .editedVoice:
            let item = try say(in: chat, isSent: true) {
                $0.fill(SampleMessages.voice("with words", 61))
                $0.extra.isEdited = true
            }
            try details.addVersions(item, ["voice message (01:01)", item.text])
        case .editedIntoLink:
            // The tags stay those of the text that it was.
            let item = try say(in: chat, isSent: false) {
                $0.fill(SampleMessages.links[0])
                ($0.messageTag, $0.hasLink, $0.extra.isEdited) = ("text", false, true)
            }
            try details.addVersions(item, ["read this", item.text])
        case .editedByMember:
            let item = try say(in: .group(places.harbour), isSent: false) { $0.extra.isEdited = true }
            try details.addVersions(item, ["Frist", "First", "First vers", item.text])
        case .editedHostile:
            let item = try say(HostileTexts.markup[1], in: chat, isSent: false) { $0.extra.isEdited = true }
            try details.addVersions(item, [HostileTexts.markup[0], HostileTexts.unicode[0], item.text])
        default:
            let item = try say(in: chat, isSent: generator.below(2) == 0) { $0.extra.isEdited = true }
            try details.addVersions(item, ["Frist version", item.text])
        }
    }

    // MARK: Mentions

    func play(_ scene: MentionScene) throws {
        let chat = SampleChat.group(places.harbour)
        let members = places.harbour.members
        switch scene {
        case .quoted:
            let item = try say("@'Jo Ann', @'Dr. Who.' and @bob: *come*", in: chat, isSent: true)
            for name in ["Jo Ann", "Dr. Who.", "bob"] { try mention(name, in: item) }
        case .user:
            let item = try say("hey @alice!", in: chat, isSent: false, by: places.member("bob")) {
                $0.extra.mentionsUser = true
            }
            try mention("alice", in: item)
        case .unlinked: try say("nobody is called @nobody or @'no body'", in: chat, isSent: false)
        case .many:
            // Of a received message the first five count.
            let names = members.dropFirst().prefix(7).map(\.name)
            let text = names.map { "@'\($0)'" }.joined(separator: " ")
            let item = try say(text, in: chat, isSent: false, by: places.member("carol 🌻"))
            for member in members.dropFirst().prefix(5) where member.id != members[5].id {
                try details.addMention(of: member, as: member.name, in: item)
            }
        case .sameName:
            let bobs = members.filter { $0.name == "bob" }
            let item = try say("@bob is not @bob_1", in: chat, isSent: true)
            for (bob, name) in zip(bobs, ["bob", "bob_1"]) {
                try details.addMention(of: bob, as: name, in: item)
            }
        case .renamed:
            let item = try say("once @'old name' was called so", in: chat, isSent: false)
            if let member = places.member("Jo Ann") {
                try details.addMention(of: member, as: "old name", in: item)
            }
        }
    }

    private func mention(_ name: String, in item: ItemRow) throws {
        if let member = places.member(name) { try details.addMention(of: member, as: name, in: item) }
    }
}
