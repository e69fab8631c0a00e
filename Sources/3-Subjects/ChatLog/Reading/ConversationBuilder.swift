import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// Makes conversations of rows.
struct ConversationBuilder {
    let user: LogUser

    /// With whom the user's own talk of a group is.
    static let administrators = "administrators"

    init(_ user: LogUser) { self.user = user }

    func contact(_ row: ContactRow, _ summary: ItemSummary) -> Conversation {
        let hiding: Conversation.Hiding? =
            if row.isDeleted.value == true {
                .contactDeleted
            } else if row.isConversationDeleted.value == true {
                .conversationDeleted
            } else if row.isUsed.value == false {
                .unused
            } else {
                nil
            }
        return conversation(
            .contact(row.id), .contact, row.names, row.localName, hiding, row.isMarkedUnread.value, summary)
    }

    func group(_ row: GroupRow, _ summary: ItemSummary) -> Conversation {
        conversation(
            .group(row.id), Self.kind(of: row), row.names, row.localName,
            row.isBeingCreated.value == true ? .incomplete : nil, row.isMarkedUnread.value, summary)
    }

    private static func kind(of row: GroupRow) -> Conversation.Kind {
        if row.businessRole.value != nil { return .business }
        return row.type.value == "channel" ? .channel : .group
    }

    func support(
        _ row: GroupRow, _ scope: ItemScope, _ members: GroupMembers, _ summary: ItemSummary
    ) -> Conversation {
        let group = row.names.shown ?? row.localName
        let name: String
        if case .support(_, let member?) = scope {
            name = "\(group): \(members[row: member].name)"
        } else {
            name = "\(group): \(Self.administrators)"
        }
        return conversation(
            scope, .support, row.names, row.localName, row.isBeingCreated.value == true ? .incomplete : nil,
            nil, summary, name: name)
    }

    func notes(_ folder: Int64, _ summary: ItemSummary) -> Conversation {
        conversation(.notes(folder), .notes, nil, "notes", nil, nil, summary)
    }

    private func conversation(
        _ scope: ItemScope, _ kind: Conversation.Kind, _ names: ProfileNames?, _ localName: String,
        _ hiding: Conversation.Hiding?, _ isMarkedUnread: Bool?, _ summary: ItemSummary, name: String? = nil
    ) -> Conversation {
        let shown = name ?? names?.shown ?? localName
        return Conversation(
            key: ConversationKey(scope).text, kind: kind, user: user.id, userName: user.name, name: shown,
            localName: localName,
            fullName: Self.given(names?.fullName.value, unless: names?.displayName.value),
            about: Self.given(names?.description.value), picture: Self.given(names?.image.value),
            hiding: user.isHidden ? .hiddenProfile : hiding, isMarkedUnread: isMarkedUnread ?? false,
            items: summary.count, unread: summary.unread, first: summary.first.flatMap { UTCTime($0) },
            last: summary.last.flatMap { UTCTime($0) })
    }

    private static func given(_ text: String?, unless other: String? = nil) -> String? {
        guard let text, !text.isEmpty, text != other else { return nil }
        return text
    }
}
