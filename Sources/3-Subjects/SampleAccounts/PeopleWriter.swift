import ValiseDatabase

/// Writes the users, their profiles and contacts.
struct PeopleWriter {
    private let chat: SampleDatabase
    private var generator: SampleGenerator

    init(_ chat: SampleDatabase, seed: UInt64) {
        self.chat = chat
        generator = SampleGenerator(seed: seed, purpose: "people")
    }

    consuming func write() throws -> [SampleContact] {
        for user in SampleUser.all { try write(user) }
        try profile(101, "RainyOtter", user: 1, incognito: true)
        for contact in SampleContact.all { try write(contact) }
        return SampleContact.all
    }

    mutating func write(_ user: SampleUser) throws {
        let hash = generator.bytes(64)
        let salt = generator.bytes(16)
        try chat.insert(
            "users", at: .start,
            [
                "user_id": .number(user.id), "contact_id": .number(user.contact),
                "local_display_name": .text(user.name), "active_user": .flag(user.id == SampleUser.alice.id),
                "active_order": .number(user.isHidden ? 0 : 1), "agent_user_id": .number(user.id),
                "view_pwd_hash": user.isHidden ? .blob(hash) : .null,
                "view_pwd_salt": user.isHidden ? .blob(salt) : .null,
                "show_ntfs": .flag(!user.isHidden), "send_rcpts_contacts": 1, "send_rcpts_small_groups": 1,
            ])
        try displayName(user.name, user: user.id)
        try profile(user.contact, user.name, fullName: user.fullName, user: user.id, hasImage: !user.isHidden)
        try chat.insert(
            "contacts", at: .start,
            [
                "contact_id": .number(user.contact), "contact_profile_id": .number(user.contact),
                "user_id": .number(user.id), "local_display_name": .text(user.name), "is_user": 1,
                "contact_used": 0,
            ])
        try chat.insert(
            "note_folders", at: .start,
            [
                "note_folder_id": .number(user.noteFolder), "user_id": .number(user.id),
                "chat_ts": .time(.start), "favorite": .flag(user.id == 1),
            ])
    }

    mutating func write(_ contact: SampleContact) throws {
        try displayName(
            contact.uniqueName, base: contact.name, suffix: contact.localName == nil ? 0 : 1,
            user: contact.user)
        try profile(
            contact.id, contact.name, fullName: contact.fullName, alias: contact.alias, user: contact.user,
            isBot: contact.isBot, hasImage: contact.hasImage)
        let isDeleted = contact.status == "deletedByUser"
        try chat.insert(
            "contacts", at: .start,
            [
                "contact_id": .number(contact.id), "contact_profile_id": .number(contact.id),
                "user_id": .number(contact.user), "local_display_name": .text(contact.uniqueName),
                "is_user": 0, "xcontact_id": contact.id % 3 == 0 ? .blob(generator.bytes(16)) : .null,
                "enable_ntfs": contact.notifications == "1" ? 1 : 0, "contact_used": 1,
                "favorite": .flag(contact.favorite), "contact_status": .text(contact.status),
                "deleted": .flag(isDeleted), "chat_deleted": .flag(isDeleted),
                "user_preferences": contact.id == 3 ? #"{"fullDelete":{"allow":"yes"}}"# : "{}",
                "chat_ts": .time(.start), "chat_item_ttl": contact.id == 10 ? 2_592_000 : .null,
            ])
    }

    func displayName(_ name: String, base: String? = nil, suffix: Int = 0, user: Int) throws {
        try chat.insert(
            "display_names", at: .start,
            [
                "user_id": .number(user), "local_display_name": .text(name), "ldn_base": .text(base ?? name),
                "ldn_suffix": .number(suffix),
            ])
    }

    func profile(
        _ id: Int, _ name: String, fullName: String = "", alias: String = "", user: Int,
        incognito: Bool = false, isBot: Bool = false, hasImage: Bool = false
    ) throws {
        let preferences = #"{"timedMessages":{"allow":"yes","ttl":604800},"voice":{"allow":"yes"}}"#
        try chat.insert(
            "contact_profiles", at: .start,
            [
                "contact_profile_id": .number(id), "display_name": .text(name), "full_name": .text(fullName),
                "short_descr": isBot ? "Says what the sky does" : .null,
                "image": hasImage ? .text(SampleMedia.preview) : .null, "local_alias": .text(alias),
                "preferences": id == 1 || isBot ? .text(preferences) : .null, "user_id": .number(user),
                "incognito": .flag(incognito), "chat_peer_type": isBot ? "bot" : .null,
            ])
    }
}
