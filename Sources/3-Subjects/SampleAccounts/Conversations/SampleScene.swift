/// What happens between items, or to one, besides its content.
enum SampleScene {
    case quote(QuoteScene)
    case forward(ForwardScene)
    case reactions(ReactionScene)
    case change(ChangeScene)
    case mention(MentionScene)
    case deletion(DeletionScene)
    case place(PlaceScene)
    case odd(OddScene)

    static let all: [SampleScene] = [
        QuoteScene.allCases.map { .quote($0) }, ForwardScene.allCases.map { .forward($0) },
        ReactionScene.allCases.map { .reactions($0) }, ChangeScene.allCases.map { .change($0) },
        MentionScene.allCases.map { .mention($0) }, DeletionScene.allCases.map { .deletion($0) },
        PlaceScene.allCases.map { .place($0) }, OddScene.allCases.map { .odd($0) },
    ].flatMap { $0 }
}

/// What is quoted, by whom.
enum QuoteScene: CaseIterable {
    case own, theirs, file, gone, deleted, eachOther, broken, withoutDirection, unknownType
    case member, ownInGroup, ownByMember, channel, lostMember, sharedID, acrossScopes
}

/// Where an item was forwarded from.
enum ForwardScene: CaseIterable {
    case unknown, contact, group, goneContact, goneGroup, savedFromContact, savedFromGroup, broken, unknownTag
}

/// Who reacts to what.
enum ReactionScene: CaseIterable {
    case direct, unknown, group, toOwn, channel, ofLostMember, sharedID, deleted
}

/// What becomes of a message's text after it was sent first.
enum ChangeScene: CaseIterable {
    case edited, editedByMember, editedVoice, editedIntoLink, editedHostile, liveNow, liveEnded, liveEmpty
    case timedUnread, timedRunning, timedSent, timedLive
}

/// Whom a text mentions.
enum MentionScene: CaseIterable { case quoted, user, unlinked, many, sameName, renamed }

/// Who took what away, and what is left.
enum DeletionScene: CaseIterable {
    case own, theirs, inNotes, moderated, moderatedStub, moderatedOwn, blocked, blockedByAdmin, unknownNumber
    case beforeMessage
}

/// What only some chats have.
enum PlaceScene: CaseIterable {
    case reportReceived, reportSent, reportArchived, supportTalk, ownSupportTalk, business, ownChannel,
        channel
    case relayed, signed, eventInSupport
}

/// Rows that are not as the core of today writes them.
enum OddScene: CaseIterable {
    case withoutTags, oldEvent, wrongDirection, wrongStatus, lostAuthor, unreadMention, badTime, badScope
}
