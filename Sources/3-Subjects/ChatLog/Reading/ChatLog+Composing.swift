package import ValiseChatSchema
package import ValiseDatabase
package import ValiseEncoding

/// What an account says of who may write what in a conversation.
package struct ConversationRights: Sendable {
    /// Somebody in a group.
    package struct Member: Sendable {
        package let row: Int64
        /// The name that the member chose.
        package let name: String
        /// Nil where the user gave none.
        package let alias: String?
        /// Such as `observer`, `member`, `owner`; nil where the schema has no roles.
        package let role: String?
        /// Such as `connected`, `left`, `removed`.
        package let status: String?
    }

    package let scope: ItemScope
    /// Of a contact, such as `active`.
    package let contactStatus: String?
    /// The user's own preferences, for this contact where there are some.
    package let own: JSONNode
    /// Those of the contact or the group.
    package let theirs: JSONNode
    /// The user in the group; nil outside of one.
    package let ownMember: Member?
    /// The others in the group.
    package let members: [Member]
    /// Whether the connection with a contact encrypts against quantum computers too.
    package let usesPostQuantum: Bool
}

extension ChatLog {
    /// What decides what the user may write in a conversation; nil where it is none of this account.
    ///
    /// - Parameters:
    ///   - conversation: one of those of this source.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    /// - Throws: `DatabaseError`; whatever `damaged` throws.
    package func rights(
        in conversation: Conversation, damaged: (DatabaseError) throws -> Void
    ) throws -> ConversationRights? {
        guard let scope = ConversationKey(conversation.key)?.scope else { return nil }
        switch scope {
        case .contact(let contact):
            let row = try schema.preferences(ofContact: contact, connection)
            let everybody = try Self.node(schema.preferences(ofUser: conversation.user, connection))
            let own = Self.node(row?.own.value).objectValue ?? []
            return ConversationRights(
                scope: scope, contactStatus: row?.status.value,
                own: .object((everybody.objectValue ?? []) + own), theirs: Self.node(row?.theirs.value),
                ownMember: nil, members: [],
                usesPostQuantum: try schema.usesPostQuantum(contact: contact, connection))
        case .group(let group), .support(let group, _):
            let theirs = try Self.node(schema.preferences(ofGroup: group, connection))
            let (own, members) = try members(of: group, damaged)
            return ConversationRights(
                scope: scope, contactStatus: nil, own: .empty, theirs: theirs, ownMember: own,
                members: members, usesPostQuantum: false)
        case .notes:
            return ConversationRights(
                scope: scope, contactStatus: nil, own: .empty, theirs: .empty, ownMember: nil, members: [],
                usesPostQuantum: false)
        }
    }

    /// What is not JSON says nothing.
    private static func node(_ text: String?) -> JSONNode { text.flatMap { JSONNode(parsing: $0) } ?? .empty }

    private func members(
        of group: Int64, _ damaged: (DatabaseError) throws -> Void
    ) throws -> (own: ConversationRights.Member?, others: [ConversationRights.Member]) {
        var own: ConversationRights.Member?
        var others: [ConversationRights.Member] = []
        guard schema.namesMembers else { return (own, others) }
        var rows = try schema.roles(in: group, connection)
        while let row = try rows.nextResult() {
            switch row {
            case .failure(let error): try damaged(error)
            case .success(let row):
                let alias = row.member.names.alias.value
                let member = ConversationRights.Member(
                    row: row.member.id, name: row.member.names.displayName.value ?? row.member.localName,
                    alias: alias.flatMap { $0.isEmpty ? nil : $0 }, role: row.role.value,
                    status: row.status.value)
                if row.member.category == "user" { own = member } else { others.append(member) }
            }
        }
        return (own, others)
    }
}
