/// What must be somewhere in the conversations.
enum ConversationKinds {
    static let constructors: [String] =
        messages + direct + group + connections + features
        + [
            "rcvModerated", "sndModerated", "rcvBlocked", "chatBanner", "invalidJSON", "rcvHologram",
            "sndHologram",
        ]

    private static let messages = [
        "text", "link", "image", "video", "voice", "file", "report", "chat", "poll", "sticker",
    ]
    .flatMap { ["sndMsgContent.\($0)", "rcvMsgContent.\($0)"] }

    private static let direct: [String] =
        ["broadcast", "internal", "internalMark", "history"].flatMap {
            ["sndDeleted.\($0)", "rcvDeleted.\($0)"]
        }
        + ["pending", "missed", "rejected", "accepted", "negotiated", "progress", "ended", "error"].flatMap {
            ["sndCall.\($0)", "rcvCall.\($0)"]
        }
        + ["msgSkipped", "msgBadId", "msgBadHash", "msgDuplicate"].map { "rcvIntegrityError.\($0)" }
        + ["ratchetHeader", "tooManySkipped", "ratchetEarlier", "other", "ratchetSync"].map {
            "rcvDecryptionError.\($0)"
        }
        + ["type", "_owsf", "dropped"].map { "rcvMsgError.\($0)" }
        + ["contactDeleted", "profileUpdated", "groupInvLinkReceived"].map { "rcvDirectEvent.\($0)" }
        + [
            "rcvGroupInvitation", "sndGroupInvitation", "sndDirectE2EEInfo", "rcvDirectE2EEInfo",
            "sndGroupE2EEInfo",
            "rcvGroupE2EEInfo",
        ]

    private static let group: [String] =
        [
            "memberAdded", "memberConnected", "memberAccepted", "userAccepted", "memberLeft", "memberRole",
            "memberBlocked",
            "userRole", "memberDeleted", "userDeleted", "groupDeleted", "groupUpdated", "invitedViaGroupLink",
            "memberCreatedContact", "memberProfileUpdated", "newMemberPendingReview", "msgBadSignature",
            "memberMoonwalked",
        ].map { "rcvGroupEvent.\($0)" }
        + [
            "memberRole", "memberBlocked", "userRole", "memberDeleted", "userLeft", "groupUpdated",
            "memberAccepted",
            "userPendingReview",
        ].map { "sndGroupEvent.\($0)" }

    private static let connections: [String] =
        ["switchQueue", "ratchetSync", "verificationCodeReset", "pqEnabled"].map { "rcvConnEvent.\($0)" }
        + ["switchQueue", "ratchetSync", "pqEnabled"].map { "sndConnEvent.\($0)" }

    private static let features: [String] =
        ["timedMessages", "fullDelete", "reactions", "voice", "files", "calls", "sessions"].flatMap { name in
            [
                "rcvChatFeature", "sndChatFeature", "rcvChatPreference", "sndChatPreference",
                "rcvChatFeatureRejected",
            ].map {
                "\($0).\(name)"
            }
        }
        + [
            "timedMessages", "directMessages", "fullDelete", "reactions", "voice", "files", "simplexLinks",
            "reports",
            "history", "support", "sessions", "comments", "signMessages",
        ].flatMap { name in
            ["rcvGroupFeature", "sndGroupFeature", "rcvGroupFeatureRejected"].map { "\($0).\(name)" }
        }

    /// Each is true of some item.
    static let conditions: [String] = deletions + quotes + states + places

    private static let deletions = [
        "item_deleted = 1 AND contact_id IS NOT NULL AND item_sent = 1",
        "item_deleted = 1 AND contact_id IS NOT NULL AND item_sent = 0",
        "item_deleted = 1 AND note_folder_id IS NOT NULL",
        "item_deleted = 1 AND item_deleted_by_group_member_id IS NOT NULL AND item_text = 'moderated words'",
        "item_content = '{\"rcvModerated\":{}}' AND item_content_tag = 'rcvMsgContent'",
        "item_content = '{\"sndModerated\":{}}' AND item_content_tag = 'sndMsgContent'", "item_deleted = 2",
        "item_deleted = 3", "item_deleted = 1 AND msg_content_tag = 'report'",
    ]

    private static let quotes = [
        "quoted_sent = 1 AND contact_id IS NOT NULL", "quoted_sent = 0 AND contact_id IS NOT NULL",
        "quoted_sent = 1 AND quoted_member_id IS NOT NULL",
        "quoted_sent = 0 AND quoted_member_id IS NOT NULL",
        "quoted_sent = 0 AND quoted_member_id IS NULL AND group_id = 13",
        "quoted_content IS NOT NULL AND quoted_sent IS NULL", "NOT json_valid(quoted_content)",
        "quoted_member_id NOT IN (SELECT member_id FROM group_members)",
        "quoted_shared_msg_id NOT IN (SELECT shared_msg_id FROM chat_items WHERE shared_msg_id IS NOT NULL)",
        "fwd_from_tag = 'unknown'", "fwd_from_tag = 'contact' AND fwd_from_contact_id IS NOT NULL",
        "fwd_from_tag = 'group' AND fwd_from_group_id IS NOT NULL AND fwd_from_msg_dir = 1",
        "fwd_from_tag = 'contact' AND fwd_from_contact_id IS NULL AND fwd_from_msg_dir IS NOT NULL",
        "fwd_from_tag = 'contact' AND note_folder_id IS NOT NULL",
        "fwd_from_tag = 'contact' AND fwd_from_msg_dir IS NULL",
    ]

    private static let states = [
        "item_edited = 1", "item_live = 1", "item_live = 0",
        "timed_ttl IS NOT NULL AND timed_delete_at IS NULL",
        "timed_delete_at IS NOT NULL", "user_mention = 1 AND item_status = 'rcv_new'",
        "msg_signed = 'verified'",
        "msg_signed = 'no_key'", "via_proxy = 1", "forwarded_by_group_member_id IS NOT NULL",
        "shared_msg_id IS NULL",
        "item_content_tag IS NULL AND msg_content_tag IS NULL AND json_valid(item_content)",
        "NOT json_valid(item_content)",
        "item_sent = 1 AND item_content LIKE '{\"rcv%'", "item_sent = 0 AND item_status LIKE 'snd%'",
        "msg_content_tag = 'text' AND item_content LIKE '%\"type\":\"link\"%'",
        "msg_content_tag = 'liveText'",
        "item_content LIKE '{\"type\"%'", "item_content LIKE '{\"_owsf\"%'", "item_ts < '1970-01-02'",
    ]

    private static let places = [
        "user_id = 2", "user_id = 3 AND group_id IS NOT NULL", "user_id = 3 AND note_folder_id IS NOT NULL",
        "group_scope_tag = 'member_support' AND group_scope_group_member_id IS NULL",
        "group_scope_tag = 'member_support' AND group_scope_group_member_id IS NOT NULL AND item_sent = 1",
        "show_group_as_sender = 1 AND item_sent = 1", "show_group_as_sender = 1 AND item_sent = 0",
        "group_id IS NOT NULL AND item_sent = 0 AND group_member_id IS NULL AND show_group_as_sender = 0",
        "group_id IN (SELECT group_id FROM groups WHERE business_chat = 'business')",
        "group_id IN (SELECT group_id FROM groups WHERE business_chat = 'customer')",
        "group_member_id IN (SELECT group_member_id FROM group_members WHERE member_status = 'unknown')",
        "contact_id IN (SELECT contact_id FROM contacts WHERE chat_deleted = 1)",
    ]

    /// Each has a row.
    static let queries: [String] = [
        "SELECT 1 FROM contact_requests WHERE contact_id IS NULL",
        "SELECT 1 FROM connections WHERE conn_type = 'contact' AND contact_id IS NULL AND conn_status = 'new'",
        "SELECT 1 FROM chat_item_reactions WHERE contact_id IS NOT NULL AND reaction_sent = 0",
        "SELECT 1 FROM chat_item_reactions WHERE group_id IS NOT NULL AND item_member_id IS NULL",
        "SELECT 1 FROM chat_item_reactions WHERE group_id IS NOT NULL AND reaction_sent = 0 AND group_member_id IS NULL",
        "SELECT 1 FROM chat_item_reactions WHERE reaction NOT LIKE '%emoji%'",
        "SELECT 1 FROM chat_item_versions AS v JOIN chat_items AS i USING (chat_item_id) WHERE i.item_edited IS NULL",
        "SELECT chat_item_id FROM chat_item_versions GROUP BY chat_item_id HAVING count(*) > 3",
        "SELECT 1 FROM chat_item_mentions WHERE display_name = 'bob_1'",
        "SELECT 1 FROM chat_item_mentions WHERE display_name LIKE '% %'",
        "SELECT 1 FROM users WHERE view_pwd_hash IS NOT NULL",
        "SELECT 1 FROM group_profiles WHERE group_type = 'channel'",
        "SELECT 1 FROM group_profiles WHERE group_type = 'forum'",
        "SELECT 1 FROM contacts WHERE unread_chat = 1",
        "SELECT 1 FROM group_members WHERE member_profile_id IS NOT NULL",
        "SELECT 1 FROM contact_profiles WHERE display_name = '<script>alert(1)</script>' AND local_alias = ''",
        "SELECT shared_msg_id FROM chat_items WHERE group_id = 11 GROUP BY shared_msg_id HAVING count(*) > 1",
    ]

    static let statuses: Set = [
        "snd_new", "snd_sent", "snd_sent partial", "snd_sent complete", "snd_rcvd ok", "snd_rcvd ok partial",
        "snd_rcvd badMsgHash complete", "snd_error_auth", "snd_error quota", "snd_error relay host",
        "snd_error proxy_relay smp8.example.org other BROKER timeout", "snd_warning expired", "rcv_new",
        "rcv_read",
        "invalid", "snd_rcvd maybe",
    ]

    static let fileStatuses: Set = [
        "snd_stored", "snd_transfer 4096 65536", "snd_transfer", "snd_cancelled", "snd_complete", "snd_error",
        "snd_error auth", "snd_warning relay other TIMEOUT", "rcv_invitation", "rcv_accepted",
        "rcv_transfer 32768 65536",
        "rcv_aborted", "rcv_complete", "rcv_cancelled", "rcv_error", "rcv_error no_file",
        "rcv_warning relay host",
        "something else",
    ]
}
