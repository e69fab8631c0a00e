import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// Makes items of rows, with what further tables say of them.
struct ItemBuilder {
    private let scope: ItemScope
    private let details: ItemDetails
    private let members: GroupMembers?
    private let me: Participant
    private let other: Participant

    /// - Throws: `DatabaseError`; whatever `damaged` throws.
    init(
        _ conversation: Conversation, _ scope: ItemScope, _ schema: ChatSchema,
        _ connection: borrowing Connection, damaged: (DatabaseError) throws -> Void
    ) throws {
        self.scope = scope
        details = try ItemDetails(schema, scope, connection)
        let me = Participant(key: Participant.selfKey, name: conversation.userName)
        switch scope {
        case .contact:
            (members, self.me) = (nil, me)
            other = Participant(key: Participant.contactKey, name: conversation.name)
        case .notes: (members, self.me, other) = (nil, me, me)
        case .group(let id), .support(let id, _):
            let members = try GroupMembers(
                of: id, user: conversation.userName, schema, connection, damaged: damaged)
            (self.members, self.me) = (members, members.own)
            other = Participant(key: Participant.groupKey, name: conversation.name)
        }
    }

    func item(_ row: ChatItemRow) throws -> ConversationItem {
        let content = ItemContent(parsing: row.content)
        let author = author(of: row)
        return ConversationItem(
            key: key(of: row, author), row: row.id, isSent: row.isSent, author: author,
            time: ItemTime(row.time), createdAt: ItemTime(row.createdAt), content: content,
            storedContent: row.content, text: row.text, quote: quote(of: row),
            forward: Self.forward(of: row.forward), reactions: try reactions(to: row, author),
            versions: try versions(of: row), mentions: try mentions(in: row), deletion: deletion(of: row),
            isEdited: row.isEdited.value ?? false, isLive: row.isLive.value ?? false,
            lifetime: row.lifetime.value, deletesAt: row.deletesAt.value.map(ItemTime.init),
            status: row.status.value, receipts: try receipts(of: row),
            usedProxy: row.usedProxy.value ?? false, mentionsUser: row.mentionsUser.value ?? false,
            signature: row.signature.value, file: row.file.map(Self.file), gone: nil)
    }

    /// What is known of a row without looking at any further one.
    func outline(of row: ChatItemRow, _ ordinal: Int64) -> ItemOutline {
        let order = scope.isOrderedByTime ? row.time : row.createdAt
        return ItemOutline(
            ItemPosition(ordinal: ordinal, time: order, row: row.id), key: key(of: row, author(of: row)),
            time: UTCTime(row.time),
            isShown: Self.isMessage(row.content) || ItemContent(parsing: row.content).isShown,
            isUnread: row.status.value == "rcv_new", content: row.content.utf8.count,
            quote: row.quote.content.value?.utf8.count ?? 0)
    }

    /// Most items are messages, which need not be parsed to know that they are shown.
    private static func isMessage(_ content: String) -> Bool {
        ["{\"rcvMsgContent\":", "{\"sndMsgContent\":"].contains { content.utf8.starts(with: $0.utf8) }
    }

    // MARK: Who

    private func author(of row: ChatItemRow) -> Participant {
        guard let members else { return row.isSent ? me : other }
        if row.showsGroupAsSender.value == true { return other }
        if row.isSent { return me }
        guard let member = row.memberID.value else { return GroupMembers.unknown }
        return members[row: member]
    }

    /// In groups every member counts IDs of its own.
    private func key(of row: ChatItemRow, _ author: Participant) -> String {
        guard let id = row.sharedID.value else { return "row-\(row.id)" }
        return Self.key(id, author)
    }

    private static func key(_ sharedID: [UInt8], _ author: Participant?) -> String {
        let shared = Base64URL.encode(sharedID)
        switch author?.key {
        case nil, "", Participant.selfKey, Participant.contactKey, Participant.groupKey: return shared
        case let member?: return "\(shared).\(member)"
        }
    }

    // MARK: Quotes and forwards

    private func quote(of row: ChatItemRow) -> ItemQuote? {
        let quote = row.quote
        guard let isSent = quote.isSent.value, let stored = quote.content.value else { return nil }
        let author: Participant? =
            if isSent {
                me
            } else if let members {
                quote.memberID.value.map { members[id: $0] }
            } else {
                other
            }
        let content = MessageContent(parsing: stored)
        return ItemQuote(
            key: quote.sharedID.value.map { Self.key($0, author) }, author: author,
            sentAt: quote.sentAt.value.map(ItemTime.init), content: content,
            storedContent: content == nil ? nil : stored,
            text: content?.readableText ?? "")
    }

    private static func forward(of forward: ChatItemRow.Forward) -> ItemForward? {
        guard let kind = forward.kind.value else { return nil }
        let conversation =
            forward.contactID.value.map { ConversationKey(.contact($0)).text }
            ?? forward.groupID.value.map { ConversationKey(.group($0)).text }
        return ItemForward(
            kind: kind, name: forward.chatName.value, wasSent: forward.isSent.value,
            conversation: conversation)
    }

    // MARK: Further tables

    private func reactions(to row: ChatItemRow, _ author: Participant) throws -> [ItemReaction] {
        guard let id = row.sharedID.value else { return [] }
        var authorID: [UInt8]?
        if let members {
            authorID = author.isSelf ? members.ownID : Base64URL.decode(author.key)
            if author.key == Participant.groupKey { authorID = nil }
        }
        var found: [(emoji: String, authors: [Participant])] = []
        for reaction in try details.reactions(to: id, by: authorID) {
            let emoji = Reaction(parsing: reaction.reaction).shown
            let by = by(reaction)
            if let place = found.firstIndex(where: { $0.emoji == emoji }) {
                found[place].authors.append(by)
            } else {
                found.append((emoji, [by]))
            }
        }
        return found.map { ItemReaction(emoji: $0.emoji, authors: $0.authors) }
    }

    private func by(_ reaction: ItemReactionRow) -> Participant {
        if reaction.isSent.value == true { return me }
        guard let members else { return other }
        return reaction.memberID.value.map { members[row: $0] } ?? GroupMembers.unknown
    }

    /// Live messages have versions too.
    private func versions(of row: ChatItemRow) throws -> [ItemVersion] {
        guard row.isEdited.value == true || row.isLive.value != nil else { return [] }
        return try details.versions(of: row.id).map {
            ItemVersion(
                text: MessageContent(parsing: $0.content)?.readableText ?? $0.content, time: ItemTime($0.time)
            )
        }
    }

    private func mentions(in row: ChatItemRow) throws -> [String: Participant] {
        guard let members, row.text.utf8.contains(UInt8(ascii: "@")) else { return [:] }
        var mentions: [String: Participant] = [:]
        for mention in try details.mentions(in: row.id) {
            mentions[mention.name] = members[id: mention.memberID]
        }
        return mentions
    }

    private func receipts(of row: ChatItemRow) throws -> [ItemReceipt] {
        guard let members, row.isSent else { return [] }
        return try details.memberStatuses(of: row.id).map {
            ItemReceipt(member: members[row: $0.memberID], status: $0.status)
        }
    }

    private func deletion(of row: ChatItemRow) -> ItemDeletion? {
        let kind: ItemDeletion.Kind
        switch row.deletion {
        case 0: return nil
        case 2 where members != nil: kind = .blocked
        case 3 where members != nil: kind = .blockedByAdministrator
        default: kind = row.deletedByMember.value == nil ? .deleted : .moderated
        }
        let by = row.deletedByMember.value.flatMap { id in members.map { $0[row: id] } }
        return ItemDeletion(kind: kind, by: by, time: row.deletedAt.value.map(ItemTime.init))
    }

    /// What the app calls a file without a name.
    private static let unnamed = "file"

    private static func file(_ file: ChatItemRow.File) -> ItemFile {
        ItemFile(
            row: file.id, name: file.name.value ?? Self.unnamed, path: file.path.value, size: file.size.value,
            status: file.status.value,
            isEncrypted: file.hasKey.value == true && file.hasNonce.value == true, exported: nil)
    }
}
