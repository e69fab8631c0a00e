import ValiseDatabase

/// Writes the groups and their members.
struct GroupsWriter {
    private let chat: SampleDatabase
    private var generator: SampleGenerator
    private var nextMember = 1

    init(_ chat: SampleDatabase, seed: UInt64) {
        self.chat = chat
        generator = SampleGenerator(seed: seed, purpose: "groups")
    }

    consuming func write() throws -> [SampleGroup] {
        let groups = [
            group(1, "Garden Club 🌱", .usual, MemberPlan.usual),
            group(2, "Valise News", .channel, MemberPlan.channel),
            group(3, "Acme Bikes", .business, MemberPlan.business),
        ]
        for group in groups {
            try write(group)
            for (index, member) in group.members.enumerated() { try write(member, index: index) }
        }
        try introduce(groups)
        return groups
    }

    private mutating func group(
        _ id: Int, _ name: String, _ kind: SampleGroup.Kind, _ plans: [MemberPlan]
    ) -> SampleGroup {
        let members = plans.map { plan in
            defer { nextMember += 1 }
            return SampleMember(
                id: nextMember, group: id, memberID: generator.bytes(12), name: plan.name, role: plan.role,
                category: plan.category, status: plan.status, contact: plan.contact)
        }
        return SampleGroup(id: id, name: name, kind: kind, members: members)
    }

    private mutating func write(_ group: SampleGroup) throws {
        let isChannel = group.kind == .channel
        let isBusiness = group.kind == .business
        try displayName(group.name)
        try chat.insert(
            "group_profiles", at: .start,
            [
                "group_profile_id": .number(group.id), "display_name": .text(group.name),
                "full_name": isChannel ? "News of a sample" : "",
                "description": isBusiness ? .null : "Please be *kind*.", "image": .text(SampleMedia.preview),
                "preferences": #"{"history":{"enable":"on"},"reports":{"enable":"on"}}"#, "user_id": 1,
                "group_type": isChannel ? "channel" : .null,
                "public_group_id": isChannel ? .blob(generator.bytes(16)) : .null,
                "member_admission": group.kind == .usual ? #"{"review":"all"}"# : .null,
            ])
        try chat.insert(
            "groups", at: .start,
            [
                "group_id": .number(group.id), "user_id": 1, "local_display_name": .text(group.name),
                "group_profile_id": .number(group.id), "enable_ntfs": isChannel ? 0 : 1,
                "favorite": .flag(group.id == 1), "chat_ts": .time(.start),
                "business_chat": isBusiness ? "business" : .null,
                "business_member_id": isBusiness ? .blob(group.members[1].memberID) : .null,
                "customer_member_id": isBusiness ? .blob(group.members[0].memberID) : .null,
                "use_relays": .flag(isChannel), "public_member_count": isChannel ? 1234 : .null,
                "root_pub_key": isChannel ? .blob(generator.bytes(32)) : .null,
                "member_priv_key": isChannel ? .blob(generator.bytes(32)) : .null,
                "local_alias": isBusiness ? "Bike shop" : "",
            ])
    }

    private mutating func write(_ member: SampleMember, index: Int) throws {
        let localName = member.contact == nil ? member.name : member.isUser ? "alice" : member.name
        if member.contact == nil {
            if member.name != "Acme Bikes" { try displayName(member.name) }
            try chat.insert(
                "contact_profiles", at: .start,
                [
                    "contact_profile_id": .number(member.profile), "display_name": .text(member.name),
                    "user_id": 1,
                ])
        }
        let isUnderReview = member.status.hasPrefix("pending")
        try chat.insert(
            "group_members", at: .start,
            [
                "group_member_id": .number(member.id), "group_id": .number(member.group),
                "member_id": .blob(member.memberID), "member_role": .text(member.role),
                "member_category": .text(member.category), "member_status": .text(member.status),
                "invited_by": member.category == "invitee" ? 1 : .null, "user_id": 1,
                "local_display_name": .text(localName), "contact_profile_id": .number(member.profile),
                "contact_id": .optional(member.contact),
                "show_messages": .flag(member.name != "nikolai"),
                "member_restriction": member.name == "quiet one" ? "blocked" : .null,
                "index_in_group": .number(index),
                "member_pub_key": member.role == "owner" ? .blob(generator.bytes(32)) : .null,
                "support_chat_ts": isUnderReview ? .time(.start) : .null,
                "support_chat_items_unread": isUnderReview ? 1 : 0,
                "removed_at": member.status == "removed" ? .time(.start.adding(86_400)) : .null,
            ])
    }

    private func displayName(_ name: String) throws {
        try chat.insert(
            "display_names", at: .start,
            ["user_id": 1, "local_display_name": .text(name), "ldn_base": .text(name), "ldn_suffix": 0])
    }

    /// Who was introduced to whom in the usual group, and the relay of the channel.
    private func introduce(_ groups: [SampleGroup]) throws {
        for member in groups[0].authors.dropFirst() {
            try chat.insert(
                "group_member_intros", at: .start,
                [
                    "re_group_member_id": .number(groups[0].authors[0].id),
                    "to_group_member_id": .number(member.id), "intro_status": "con",
                ])
        }
        let address = "https://relay.example/a#sample"
        try chat.insert(
            "chat_relays", at: .start,
            [
                "chat_relay_id": 1, "user_id": 1, "address": .text(address), "name": "relay one",
                "domains": "relay.example", "tested": 1,
            ])
        try chat.insert(
            "group_relays", at: .start,
            [
                "group_id": .number(groups[1].id), "group_member_id": .number(groups[1].members[1].id),
                "chat_relay_id": 1, "relay_status": "active", "relay_link": .text(address),
            ])
    }
}
