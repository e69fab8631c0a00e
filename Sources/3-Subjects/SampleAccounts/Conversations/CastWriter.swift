import ValiseDatabase
import ValiseEncoding

/// Writes the people of the conversations, their groups, and who still waits for an answer.
struct CastWriter {
    private let chat: SampleDatabase
    private let agent: SampleDatabase
    private let seed: UInt64
    private var people: PeopleWriter
    private var generator: SampleGenerator
    private var nextMember = 201

    init(_ chat: SampleDatabase, _ agent: SampleDatabase, seed: UInt64) {
        self.chat = chat
        self.agent = agent
        self.seed = seed
        people = PeopleWriter(chat, seed: ~seed)
        generator = SampleGenerator(seed: seed, purpose: "cast")
    }

    consuming func write() throws -> SampleCast {
        let colleague = SampleCast.colleague
        try people.write(colleague)
        try agent.insert("users", at: nil, ["user_id": .number(colleague.id)])
        try chat.insert(
            "settings", at: .start, ["user_id": .number(colleague.id), "chat_item_ttl": .null])
        try people.profile(102, "QuietHeron", user: colleague.id, incognito: true)
        for contact in SampleCast.extraContacts { try people.write(contact) }
        try chat.connection.run(
            "UPDATE contacts SET chat_deleted = 1 WHERE contact_id = ?", [.number(SampleCast.deletedChat)])
        try chat.connection.run(
            "UPDATE contacts SET unread_chat = 1 WHERE contact_id = ?", [.number(SampleCast.markedUnread)])
        var groups: [SampleGroup] = []
        for group in CastGroup.all { groups.append(try write(group)) }
        var connections = ConnectionsWriter(chat, agent, seed: ~seed)
        try connections.connect(SampleCast.extraContacts, groups)
        try waiting()
        return SampleCast(contacts: SampleCast.extraContacts, groups: groups)
    }

    private mutating func write(_ plan: CastGroup) throws -> SampleGroup {
        let members = plan.members.map { member in
            defer { nextMember += 1 }
            let id = generator.bytes(12)
            // Who is known from forwarded messages only has no name but this.
            let name = member.name.isEmpty ? String(Base64URL.encode(id).prefix(7)) : member.name
            return SampleMember(
                id: nextMember, group: plan.id, memberID: id, name: name, role: member.role,
                category: member.category, status: member.status, contact: member.contact)
        }
        let group = SampleGroup(
            id: plan.id, name: plan.name, kind: plan.kind, members: members, user: plan.user)
        try writeRow(plan, group)
        for (index, member) in members.enumerated() { try write(member, plan.members[index], index, group) }
        return group
    }

    private mutating func writeRow(_ plan: CastGroup, _ group: SampleGroup) throws {
        let isPublic = plan.type != nil
        try people.displayName(group.name, user: group.user)
        try chat.insert(
            "group_profiles", at: .start,
            [
                "group_profile_id": .number(group.id), "display_name": .text(group.name),
                "full_name": isPublic ? "A public place" : "", "description": "*Welcome*, <b>all</b>",
                "image": group.id % 2 == 0 ? .text(SampleMessages.pixel) : .null,
                "preferences":
                    #"{"history":{"enable":"on"},"reports":{"enable":"on"},"support":{"enable":"on"}}"#,
                "user_id": .number(group.user), "group_type": .optional(plan.type),
                "public_group_id": isPublic ? .blob(generator.bytes(16)) : .null,
            ])
        try chat.insert(
            "groups", at: .start,
            [
                "group_id": .number(group.id), "user_id": .number(group.user),
                "local_display_name": .text(group.name), "group_profile_id": .number(group.id),
                "chat_ts": .time(.start), "business_chat": .optional(plan.business),
                "business_member_id": businessMember(plan, group, "business"),
                "customer_member_id": businessMember(plan, group, "customer"),
                "use_relays": .flag(group.kind == .channel), "local_alias": .text(plan.alias),
                "unread_chat": .flag(group.id == 17), "members_require_attention": .flag(group.id == 11),
            ])
    }

    /// Who is the business, or the customer: the user or the other side.
    private func businessMember(_ plan: CastGroup, _ group: SampleGroup, _ side: String) -> Value {
        guard let own = plan.business else { return .null }
        return .blob(group.members[own == side ? 0 : 1].memberID)
    }

    private func write(_ member: SampleMember, _ plan: MemberPlan, _ index: Int, _ group: SampleGroup) throws
    {
        let localName = "\(member.name)_\(member.id)"
        if member.contact == nil {
            try people.displayName(localName, base: member.name, suffix: member.id, user: group.user)
            try people.profile(member.profile, member.name, alias: plan.alias, user: group.user)
        }
        let hasSupport = plan.hasSupportChat
        try chat.insert(
            "group_members", at: .start,
            [
                "group_member_id": .number(member.id), "group_id": .number(member.group),
                "member_id": .blob(member.memberID), "member_role": .text(member.role),
                "member_category": .text(member.category), "member_status": .text(member.status),
                "user_id": .number(group.user), "local_display_name": .text(localName),
                "contact_profile_id": .number(member.profile), "contact_id": .optional(member.contact),
                "member_profile_id": .optional(plan.incognitoProfile),
                "show_messages": .flag(!plan.isBlocked),
                "member_restriction": .optional(plan.restriction), "index_in_group": .number(index),
                "support_chat_ts": hasSupport ? .time(.start) : .null,
                "support_chat_items_unread": hasSupport ? 1 : 0,
                "support_chat_items_member_attention": hasSupport ? 1 : 0,
            ])
    }

    /// Requests that came in through the user's address, and an invitation that nobody has used yet.
    private mutating func waiting() throws {
        for (index, name) in ["Quentin", HostileTexts.markup[1], "زائر"].enumerated() {
            let localName = "\(name)_\(501 + index)"
            try people.displayName(localName, base: name, suffix: 501 + index, user: 1)
            try people.profile(501 + index, name, fullName: "asks", user: 1)
            try chat.insert(
                "contact_requests", at: .start,
                [
                    "contact_request_id": .number(index + 1), "user_contact_link_id": 1,
                    "agent_invitation_id": .blob(generator.bytes(24)),
                    "contact_profile_id": .number(501 + index),
                    "user_id": 1, "local_display_name": .text(localName),
                    "xcontact_id": .blob(generator.bytes(16)),
                ])
        }
        try chat.insert(
            "connections", at: .start,
            [
                "connection_id": 98, "agent_conn_id": .blob(generator.bytes(24)), "conn_status": "new",
                "conn_type": "contact", "user_id": 1, "local_alias": "for \"someone\" <new>",
            ])
    }
}
